"""Prints the result of bench/run.sh as a table."""
import json
import sys


def cell(value, form):
    return "-" if value is None else format(value, form)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        result = json.load(file)
    print(f"\n{result['machine']}, {result['date']}, load before {result['load_before']}")
    ceiling = result["ceiling"]
    print(f"ceiling, bare posix_spawn + wait: {ceiling['rate']:.0f}/s, {ceiling['cpu_ms']:.2f} ms CPU each\n")
    print("| | jobs | jobs/s | submit to running p50, p99 ms | x Slurm | of the ceiling |")
    print("|---|---|---|---|---|---|")
    for row in sorted(result["rows"], key=lambda row: -row["rate"]):
        started = f"{cell(row.get('p50_ms'), '.1f')}, {cell(row.get('p99_ms'), '.1f')}"
        print(
            f"| {row['name']} | {row['jobs']} | {row['rate']:.0f} | {started} "
            f"| {cell(row['to_slurm'], '.1f')} | {row['to_ceiling']:.2f} |"
        )
    memory = result["memory"]
    print(
        f"\n{memory['pending']} pending and {memory['running']} running: server {memory['server_mib']} MiB, "
        f"a shim {memory['shim_kib']} KiB resident"
    )


if __name__ == "__main__":
    main()
