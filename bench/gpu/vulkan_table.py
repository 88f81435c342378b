"""What vulkan.sh found, a few words a row: vulkan_table.py RESULTS_FOLDER"""
import json
import pathlib
import sys

rows = [json.loads(line) for name in ("vulkan.jsonl", "turns.jsonl")
        for line in ((pathlib.Path(sys.argv[1]) / name).read_text().splitlines()
                     if (pathlib.Path(sys.argv[1]) / name).exists() else [])]


def say(*words):
    print(" | ".join(str(word) for word in words))


for row in rows:
    name = row["row"]
    if "failed" in row:
        say(name, "FAILED", row["failed"][:150])
    elif name == "files":
        say("files", row["descriptions"], [path.rsplit("/", 1)[1] for path in row["libraries"]], row["devices"])
    elif name == "no GPU by this description":
        say(name, row["description"].rsplit("/", 1)[1], row["tried"], row["loader"][-160:])
    elif name.startswith("launch-bound"):
        say(name, "alone", row["alone"], "native", row["native"]["sum"], "ours", row["ours"]["sum"],
            "percent", row["ours"]["percent_of_native"], row["native"]["rounds"], row["ours"]["rounds"])
    elif name.startswith("shares"):
        say(name, "percent", row["ours"]["percent"], "sum of alone", row["ours"]["sum_of_alone"])
    elif name.startswith("service"):
        say(name, {way: row[way]["p99_of_native"] for way in row if isinstance(row[way], dict)})
    elif name.startswith("cost"):
        say(name, {way: {call: figure["median"] for call, figure in row[way].items()}
                   for way in row if isinstance(row[way], dict)})
    elif name.endswith("took"):
        continue
    else:
        say(name, json.dumps({key: value for key, value in row.items() if key != "row"})[:600])
