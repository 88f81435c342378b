"""T13: what discovery reports equals what nvidia-smi says."""
import json
import subprocess
import xml.etree.ElementTree as xml

from .lab import MIB, run


def t13(lab):
    ours = json.loads(run([lab.build + "/gpuyard-slice-gpus", lab.real_nvml]).splitlines()[0])
    report = subprocess.run(["nvidia-smi", "-q", "-x"], text=True, capture_output=True, check=True)
    tree = xml.fromstring(report.stdout)
    gpu = tree.find("gpu")
    theirs = {
        "driver": tree.findtext("driver_version"), "uuid": gpu.findtext("uuid"),
        "name": gpu.findtext("product_name"), "pci": gpu.get("id"),
        "total_mib": gpu.findtext("fb_memory_usage/total").split()[0],
        "reserved_mib": gpu.findtext("fb_memory_usage/reserved").split()[0],
        "sm_clock_max_mhz": gpu.findtext("max_clocks/sm_clock").split()[0]}
    mine = {
        "driver": ours["driver"], "uuid": ours["uuid"], "name": ours["name"], "pci": ours["pci"],
        "total_mib": str(ours["total"] // MIB),
        "reserved_mib": str(-(-ours["reserved"] // MIB)),  # a part of a MiB counts as one
        "sm_clock_max_mhz": str(ours.get("sm_clock_max_mhz"))}
    differ = {k: [mine[k], theirs[k]] for k in mine if mine[k] != theirs[k]}
    return {"pass": not differ, "differ": differ, "ours": ours}
