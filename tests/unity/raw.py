#!/usr/bin/env python3
"""Writes the raw layer of the Unity package, which mirrors include/evenmatch.h, and the table its layout test reads.

    python3 tests/unity/raw.py           writes the files
    python3 tests/unity/raw.py --check   fails if one of them is not what would be written

Reads the header only. Keeps these rules: no bool, no enum, no string, no array and no delegate in a struct or in a
function, so that every struct is blittable and the marshaller has nothing to do.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "unity"
HEADER = (ROOT / "include" / "evenmatch.h").read_text()

BASE = {"uint64_t": "ulong", "uint32_t": "uint", "int32_t": "int", "double": "double", "char": "byte", "void": "void"}

# The public enums: name, what it says, the prefix of its constants, and the prefixes that are not its own.
ENUMS = [
    ("EndReason", "Why a ticket ended without a match.", "EVENMATCH_ENDED_"),
    ("UnmatchableReason", "Why a ticket could never be matched.", "EVENMATCH_UNMATCHABLE_"),
    ("Simd", "An instruction set of the searches' inner loops.", "EVENMATCH_SIMD_"),
    ("QueueFormat", "The format of a text of queues.", "EVENMATCH_FORMAT_"),
    ("AgeOf", "Whose age drives the expansions of a PlayFab file.", "EVENMATCH_AGE_"),
    ("IntersectionDelta", "What the Delta of a PlayFab intersection rule does.", "EVENMATCH_DELTA_"),
    ("UpdateFields", "What an update replaces.", "EVENMATCH_UPDATE_"),
    ("NamesAs", "How a player's name in JSON text becomes an id when the table does not have it.", "EVENMATCH_NAMES_"),
    ("TicketPhase", "Where a ticket stands in its life.", "EVENMATCH_STATE_"),
    ("WaitingFor", "What a ticket waits for.", "EVENMATCH_WAITING_FOR_"),
    ("WindowKind", "What a rule asks of a ticket now.", "EVENMATCH_WINDOW_"),
]
FLAGS = {"UpdateFields"}


def sections():
    """The header without its preamble: comments and declarations in order."""
    return HEADER[HEADER.index('extern "C" {'):]


def doc_before(text, at):
    """The text of the /** .. */ comment that ends right before `at`, in one line; empty if there is none."""
    head = text[:at].rstrip()
    if not head.endswith("*/"):
        return ""
    comment = head[head.rindex("/*"):]
    if not comment.startswith("/**"):
        return ""
    lines = (line.strip().lstrip("*").strip() for line in comment[3:-2].splitlines())
    return " ".join(line for line in lines if line)


def constants(text):
    """Name, value and doc of every constant with a number."""
    found = []
    for match in re.finditer(r"^#define (EVENMATCH_[A-Z0-9_]+) (-?\d+)(ull)?$", text, re.M):
        found.append((match.group(1), match.group(2), bool(match.group(3)), doc_before(text, match.start())))
    return found


def aliases(text):
    """Typedefs of integers: their C# types."""
    return {name: BASE[base] for base, name in re.findall(r"^typedef (\w+) (evenmatch_\w+);$", text, re.M)}


def kind(c_type, names):
    """The C# type of a C type."""
    c_type = re.sub(r"\b(const|struct)\b", "", c_type)
    stars = c_type.count("*")
    base = c_type.replace("*", "").strip()
    base = BASE.get(base) or names.get(base) or base
    return base + "*" * stars


def structs(text, names):
    """Name and fields (type, name) of every struct."""
    found = []
    for match in re.finditer(r"^typedef struct (evenmatch_\w+) \{\n(.*?)^\} \1;$", text, re.M | re.S):
        body = re.sub(r"/\*.*?\*/", "", match.group(2), flags=re.S)
        fields = []
        for field in filter(None, (part.strip() for part in body.split(";"))):
            split = re.match(r"(.*?)(\w+)$", field, re.S)
            fields.append((kind(split.group(1), names), split.group(2)))
        found.append((match.group(1), fields))
    return found


def functions(text, names):
    """Return type, name and parameters (type, name) of every function."""
    found = []
    for match in re.finditer(r"^EVENMATCH_API (.*?)(evenmatch_\w+)\((.*?)\);$", text, re.M | re.S):
        parameters = []
        for parameter in match.group(3).split(","):
            parameter = " ".join(parameter.split())
            if parameter == "void":
                continue
            split = re.match(r"(.*?)(\w+)$", parameter)
            parameters.append((kind(split.group(1), names), split.group(2)))
        found.append((kind(match.group(1), names), match.group(2), parameters))
    return found


def pascal(name):
    """QUEUE_FULL as QueueFull."""
    return "".join(part.capitalize() for part in name.split("_"))


def plain(doc):
    """A doc comment of the header as XML text about the C# names, wrapped."""
    doc = doc.replace("`", "")
    doc = re.sub(r"EVENMATCH_<NAME>_INIT", "the struct's size", doc)
    doc = re.sub(r"evenmatch_engine_free", "Engine.Dispose", doc)
    doc = re.sub(r"evenmatch_last_error", "Library.LastError", doc)
    doc = re.sub(r"EVENMATCH_TICKET_HAS_REGIONS", "regions", doc)
    return doc.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def wrapped(doc, indent):
    """A summary of `doc` in lines of up to 110 columns."""
    one = f"{indent}/// <summary>{plain(doc)}</summary>"
    if len(one) <= 110:
        return [one]
    lines, line = [f"{indent}/// <summary>"], f"{indent}///"
    for word in plain(doc).split():
        if len(line) + 1 + len(word) > 110:
            lines.append(line)
            line = f"{indent}///"
        line += " " + word
    return lines + [line, f"{indent}/// </summary>"]


def written(what):
    origin = "Written by tests/unity/raw.py from include/evenmatch.h; change it there."
    return [f"// {line}" for line in [*what, origin]] + [""]


def native(all_functions):
    lines = written(["The functions of the library, as the header has them. Called by this package only."])
    lines += [
        "using System.Runtime.InteropServices;",
        "",
        "namespace Evenmatch.Raw",
        "{",
        "    internal static unsafe class Native",
        "    {",
        "#if UNITY_IOS && !UNITY_EDITOR",
        '        internal const string Library = "__Internal";',
        "#else",
        '        internal const string Library = "evenmatch";',
        "#endif",
    ]
    for result, name, parameters in all_functions:
        lines += ["", "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]"]
        written_parameters = [f"{c_sharp} {parameter}" for c_sharp, parameter in parameters]
        one = f"        internal static extern {result} {name}({', '.join(written_parameters)});"
        if len(one) <= 110:
            lines.append(one)
        else:
            lines.append(f"        internal static extern {result} {name}(")
            lines += [f"            {p}," for p in written_parameters[:-1]]
            lines += [f"            {written_parameters[-1]});"]
    return lines + ["    }", "}"]


def raw_structs(all_structs):
    lines = written(["The structs of the library, field by field as the header has them; it says what they mean."])
    lines += ["using System.Runtime.InteropServices;", ""]
    lines += ["// The library writes what no line here assigns.", "#pragma warning disable 0649", ""]
    lines += ["namespace Evenmatch.Raw", "{"]
    for number, (name, fields) in enumerate(all_structs):
        unsafe = "unsafe " if any("*" in c_sharp for c_sharp, _ in fields) else ""
        lines += [""] if number else []
        lines += ["    [StructLayout(LayoutKind.Sequential)]", f"    internal {unsafe}struct {name}", "    {"]
        lines += [f"        internal {c_sharp} {field};" for c_sharp, field in fields]
        lines += ["    }"]
    return lines + ["}"]


def raw_constants(all_constants):
    lines = written(["The constants of the library, under their names in the header."])
    lines += ["namespace Evenmatch.Raw", "{", "    internal static class Constants", "    {"]
    for name, value, is_wide, _ in all_constants:
        c_sharp, suffix = ("ulong", "UL") if is_wide else ("int", "")
        lines.append(f"        internal const {c_sharp} {name} = {value}{suffix};")
    return lines + ["    }", "}"]


def statuses(all_constants):
    lines = written(["Status: what every call answers. Handed out by every class of this package."])
    lines += ["namespace Evenmatch", "{"]
    lines += wrapped("What a call answers: Ok, or why it was refused. A refused call has changed nothing.", "    ")
    lines += ["    public enum Status", "    {"]
    first = True
    for name, value, _, doc in all_constants:
        if name == "EVENMATCH_OK" or value.startswith("-"):
            lines += [] if first else [""]
            first = False
            lines += wrapped(doc, "        ") + [f"        {pascal(name[len('EVENMATCH_'):])} = {value},"]
    return lines + ["    }", "}"]


def codes(all_constants):
    lines = written(["The lists of values that calls take and hand out, beside Status."])
    lines += ["using System;", "", "namespace Evenmatch", "{"]
    for number, (enum, doc, prefix) in enumerate(ENUMS):
        lines += [""] if number else []
        lines += wrapped(doc, "    ") + (["    [Flags]"] if enum in FLAGS else [])
        lines += [f"    public enum {enum}", "    {"]
        members = [(n[len(prefix):], v, d) for n, v, _, d in all_constants if n.startswith(prefix)]
        if all(value != "0" for _, value, _ in members):
            members.insert(0, ("NONE", "0", "None."))
        for index, (name, value, text) in enumerate(members):
            lines += [""] if index else []
            lines += wrapped(text, "        ") + [f"        {pascal(name)} = {value},"]
        lines += ["    }"]
    return lines + ["}"]


def layout(all_structs):
    lines = written(
        ["What C# makes of every struct: its size, and each field's offset and size, as lines like the library's own."]
    )
    lines += ["using System.Text;", "using Evenmatch.Raw;", "", "namespace Evenmatch.Tests", "{"]
    lines += ["    internal static unsafe class LayoutTable", "    {"]
    lines += ["        internal static string Text()", "        {"]
    lines += ["            var lines = new StringBuilder();"]
    lines += [f"            Add_{name}(lines);" for name, _ in all_structs]
    lines += ["            return lines.ToString();", "        }", ""]
    lines += [
        "        private static void Field(StringBuilder lines, string name, void* start, void* field, int size)",
        "        {",
        "            var offset = (byte*)field - (byte*)start;",
        "            lines.Append(name).Append(' ').Append(offset).Append(' ').Append(size).Append('\\n');",
        "        }",
    ]
    for name, fields in all_structs:
        lines += ["", f"        private static void Add_{name}(StringBuilder lines)", "        {"]
        lines += [f"            {name} s;"]
        lines += [f"            lines.Append(\"{name} \").Append(sizeof({name})).Append('\\n');"]
        for c_sharp, field in fields:
            lines.append(f'            Field(lines, "{name}.{field}", &s, &s.{field}, sizeof({c_sharp}));')
        lines += ["        }"]
    return lines + ["    }", "}"]


def main():
    text = sections()
    names = aliases(text)
    all_structs, all_functions, all_constants = structs(text, names), functions(text, names), constants(text)
    files = {
        "Runtime/Raw/Native.cs": native(all_functions),
        "Runtime/Raw/Structs.cs": raw_structs(all_structs),
        "Runtime/Raw/Constants.cs": raw_constants(all_constants),
        "Runtime/Status.cs": statuses(all_constants),
        "Runtime/Codes.cs": codes(all_constants),
        "Tests/Runtime/LayoutTable.cs": layout(all_structs),
    }
    stale = []
    for path, lines in files.items():
        target, wanted = PACKAGE / path, "\n".join(lines) + "\n"
        if not target.exists() or target.read_text() != wanted:
            stale.append(path)
            if "--check" not in sys.argv:
                target.write_text(wanted)
    if stale and "--check" in sys.argv:
        sys.exit(f"not as python3 tests/unity/raw.py writes them: {', '.join(stale)}")


if __name__ == "__main__":
    main()
