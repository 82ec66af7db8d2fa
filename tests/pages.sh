#!/usr/bin/env bash
# Opens the pages of `evenmatch run --html` and `evenmatch compare --html` in a headless browser: no error in the
# console, every chart drawn, nothing wider than the screen, at 1280 and at 400 pixels, light and dark.
#
#   bash tests/pages.sh                  all pages
#   bash tests/pages.sh --keep FOLDER    also keep the pages and their screenshots there
#   bash tests/pages.sh --picture FILE   only draw the picture of the README
#
# Needs Debian's chromium, which is installed if apt-get may. Exit code 77: there is no browser.
set -euo pipefail
cd "$(dirname "$0")/.."

keep=
picture=
case ${1:-} in
  --keep) keep=${2:?name a folder} ;;
  --picture) picture=${2:?name a file} ;;
  "") ;;
  *) echo "usage: bash tests/pages.sh [--keep FOLDER | --picture FILE]" >&2; exit 2 ;;
esac

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing chromium"
  { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 || true
  browser=$(command -v chromium || true)
fi
if [ -z "$browser" ]; then
  echo "no chromium on this machine: install it (on Debian: apt-get install chromium) to open the pages"
  exit 77
fi

cargo build --quiet --bin evenmatch
evenmatch=${CARGO_TARGET_DIR:-target}/debug/evenmatch
queues=tests/data/queues
evenings=tests/data/evenings
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# browse WIDTH HEIGHT SCHEME OPTION...: a browser that reads no profile; a scheme of 0 is dark, 1 light.
browse() {
  local width=$1 height=$2 scheme=$3
  shift 3
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-extensions \
    --user-data-dir="$folder/profile" --enable-logging=stderr --log-level=0 --virtual-time-budget=5000 \
    --blink-settings=preferredColorScheme="$scheme" --window-size="$width,$height" "$@"
}

# The queue of the README, and the one that its reader makes of it.
sed 's/"max": 50, "weight"/"max": 150, "weight"/' "$queues/hybrid_duel.json" > "$folder/wider.json"
if ! grep -q '"max": 150' "$folder/wider.json"; then
  echo "hybrid_duel.json has no window of 50 any more: change this script with it"
  exit 1
fi
cp "$queues/hybrid_duel.json" "$folder/duel.json"
cp "$evenings/hybrid_duel.jsonl" "$folder/evening.jsonl"

run=$(realpath "$evenmatch")
root=$PWD
cd "$folder"

if [ -n "$picture" ]; then
  "$run" compare duel.json wider.json evening.jsonl --html page.html > said
  browse 1100 676 1 --screenshot="$folder/page.png" "file://$folder/page.html" > said 2>&1
  cd "$root"
  cp "$folder/page.png" "$picture"
  ls -l "$picture"
  exit 0
fi

# The pages. A name that is markup wherever a name may stand; an evening without a match has no chart.
evil='</script><script>window.broken=1</script><img src=x onerror=window.broken=1>'
cat > "$folder/evil.json" <<JSON
{ "name": "$evil", "players": { "min": 2, "max": 2 },
  "attributes": { "$evil": { "type": "number" } },
  "rules": [ { "name": "$evil", "type": "difference", "attribute": "$evil", "max": 100 },
             { "name": "ping", "type": "region", "max_ms": 100 } ] }
JSON
for ticket in 1 2 3 4; do
  echo "{\"at\":$((ticket * 5)),\"submit\":{\"ticket\":\"t$ticket\",\"queue\":\"$evil\",\"players\":[{\"id\":\"p$ticket\"," \
    "\"attributes\":{\"$evil\":$((ticket * 10))}}],\"latency\":{\"$evil\":20}}}"
done > "$folder/evil.jsonl"
head -n 1 "$folder/evil.jsonl" > "$folder/alone.jsonl"
"$run" compare duel.json wider.json evening.jsonl --seeds 2 --until 20m --html compare.html > said
"$run" run --queue duel.json evening.jsonl --html run.html --out matches.jsonl > said
"$run" compare evil.json evil.json evil.jsonl --html evil.html > said
"$run" run --queue evil.json evil.jsonl --html evil-run.html --out matches.jsonl > said
"$run" compare evil.json evil.json alone.jsonl --html alone.html > said
# One that is broken on purpose: a check that lets it pass checks nothing.
sed 's/id="data"/id="gone"/' compare.html > broken.html

# What is asked of each page, by a script that a copy of it carries: errors, canvases, canvases without a mark, the
# width, what is wider than the screen, and the least size of text. Marks are pixels with a colour: the axes are grey.
cat > probe.html <<'HTML'
<script>
  window.faults = [];
  addEventListener("error", (event) => window.faults.push(event.message));
  addEventListener("load", () => setTimeout(() => {
    const canvases = [...document.querySelectorAll("canvas")];
    const isBlank = (canvas) => {
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      for (let at = 0; at < pixels.length; at += 4) {
        const [red, green, blue, alpha] = pixels.subarray(at, at + 4);
        if (alpha > 60 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) return false;
      }
      return true;
    };
    const hasText = (it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    const texts = [...document.querySelectorAll("main *")].filter((it) => hasText(it) && it.offsetParent !== null);
    const wide = [...document.querySelectorAll("main *")].filter(
      (it) => !it.closest(".wide table") && it.getBoundingClientRect().right > innerWidth + 1);
    parent.postMessage([
      "errors=" + window.faults.length, "broken=" + (window.broken ?? 0), "canvases=" + canvases.length,
      "blank=" + canvases.filter(isBlank).length, "width=" + innerWidth,
      "overflow=" + (document.documentElement.scrollWidth > innerWidth ? 1 : 0) + "+" + wide.length,
      "images=" + document.images.length,
      "text=" + Math.min(...texts.map((it) => parseFloat(getComputedStyle(it).fontSize))),
    ].join(" "), "*");
  }, 500));
</script>
HTML

# A window is never narrower than 500 pixels, a frame may be: the page is looked at in one.
frame() {
  cat <<HTML
<!doctype html><meta name="color-scheme" content="light dark"><pre id="probe"></pre>
<script>addEventListener("message", (event) => { document.getElementById("probe").textContent = event.data; });</script>
<iframe src="probed.html" width="$1" height="900" style="border: 0"></iframe>
HTML
}

faults=0
# look PAGE WIDTH SCHEME: sets `seen` to what the probe says, and `errors` to what the console says.
look() {
  sed -e '/<head>/r probe.html' "$1" > probed.html
  frame "$2" > frame.html
  browse 1400 1000 "$3" --dump-dom "file://$folder/frame.html" > dom 2> log
  seen=$(sed -n 's/.*<pre id="probe">\([^<]*\)<\/pre>.*/\1/p' dom | head -n 1)
  errors=$(grep -c 'CONSOLE' log || true)
}

# check PAGE CHARTS WIDTH SCHEME
check() {
  look "$1" "$3" "$4"
  local wanted="errors=0 broken=0 canvases=$2 blank=0 width=$3 overflow=0+0 images=0 text="
  local text=${seen##*text=}
  if [ "${seen%text=*}text=" = "$wanted" ] && [ "$errors" = 0 ] && awk "BEGIN { exit !(${text:-0} >= 12) }"; then
    echo "fine: $1 at $3 pixels, scheme $4: $seen"
  else
    echo "wrong: $1 at $3 pixels, scheme $4: $seen"
    echo "       wanted $wanted 12 and more, and nothing in the console"
    grep 'CONSOLE' log || true
    faults=$((faults + 1))
  fi
}

for width in 1280 400; do
  check compare.html 4 $width 1
  check run.html 4 $width 1
  check evil.html 4 $width 1
  check evil-run.html 4 $width 1
done
check alone.html 0 400 1
check compare.html 4 1280 0
check compare.html 4 400 0

look broken.html 400 1
if [[ $seen == *"errors=0"* || $seen != *"canvases=0"* || $errors == 0 ]]; then
  echo "wrong: a page that is broken on purpose passes: $seen, $errors in the console"
  faults=$((faults + 1))
fi

if [ -n "$keep" ]; then
  for page in compare run evil; do
    for width in 1280 400; do
      browse $width 3200 1 --screenshot="$folder/$page-$width.png" "file://$folder/$page.html" > said 2>&1
      browse $width 3200 0 --screenshot="$folder/$page-$width-dark.png" "file://$folder/$page.html" > said 2>&1
    done
  done
  cd "$root"
  mkdir -p "$keep"
  cp "$folder"/*.html "$folder"/*.png "$keep"
fi
[ "$faults" -eq 0 ]
