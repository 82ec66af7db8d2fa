"""Do the settings of cargo-c install the checked-in header, and every file of the C++ layer? Called by tests/bindings.sh.

    python3 tests/capi/cargo_c_static.py Cargo.toml
"""

import glob
import sys
import tomllib

with open(sys.argv[1], "rb") as file:
    capi = tomllib.load(file)["package"]["metadata"]["capi"]
assert capi["header"]["generation"] is False, "cargo-c would make a header of its own"
assert capi["header"]["subdirectory"] is False, "the header would not lie where its programs look for it"
installed = {path: asset["to"] for asset in capi["install"]["include"]["asset"] for path in glob.glob(asset["from"])}
layer = glob.glob("bindings/cpp/include/evenmatch/*.hpp")
wanted = {"include/evenmatch.h": "", "bindings/cpp/include/evenmatch.hpp": "", **dict.fromkeys(layer, "evenmatch")}
assert layer and installed == wanted, f"installed: {installed}"
