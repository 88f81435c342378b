#!/usr/bin/env python3
"""Vulkan in parts of a real GPU: bench/gpu/vulkan.py RESULTS_FOLDER BUILD_FOLDER FOLDER_OF_VULKAN

BUILD_FOLDER is made by build.sh; FOLDER_OF_VULKAN (vulkan-bundle.sh) holds the layer, the test program and
Vulkan's loader, which such machines often lack. Looks for the driver's Vulkan, and if there is one, shows what
a device takes, what memory takes by NVML, the cap, what a program is shown, and memory that Vulkan and CUDA
share. Prints one JSON line a row, and writes the same lines to RESULTS_FOLDER/vulkan.jsonl.
"""
import ctypes
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from slicebench import lab as tools
from slicebench.lab import GIB, MIB, Lab, Talk

RESULTS, BUILD, VULKAN = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
PROGRAM = str(VULKAN / "gpuyard-slice-vulkan")
PLACES = ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d")
LIBRARIES = ("libGLX_nvidia.so.0", "libEGL_nvidia.so.0")


def tell(row, **figures):
    line = json.dumps(dict(row=row, **figures))
    print(line, flush=True)
    with open(RESULTS / "vulkan.jsonl", "a") as log:
        log.write(line + "\n")


def found_files():
    folders = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/usr/local/nvidia/lib64",
               "/usr/lib/nvidia", "/run/nvidia/driver/usr/lib/x86_64-linux-gnu")
    names = ("libGLX_nvidia", "libEGL_nvidia", "libnvidia-glvkspirv", "libnvidia-glcore", "libnvidia-eglcore",
             "libnvidia-gpucomp", "libnvidia-tls", "libnvidia-rtcore", "libnvoptix", "libvulkan", "libX11", "libXext")
    return [path for folder in folders for name in names for path in sorted(glob.glob(folder + "/" + name + ".so*"))]


def drivers():
    """Descriptions of the driver's Vulkan: one that SLICE_VULKAN names, those of the machine, then such of ours."""
    if "SLICE_VULKAN" in os.environ:
        yield os.environ["SLICE_VULKAN"]
    yield from (path for place in PLACES for path in sorted(glob.glob(place + "/*.json")))
    for name in LIBRARIES:
        path = BUILD / (name + ".json")
        path.write_text(json.dumps({"file_format_version": "1.0.0",
                                    "ICD": {"library_path": name, "api_version": "1.4.303"}}))
        yield str(path)


def base_env(driver):
    path = str(VULKAN) + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    return dict(os.environ, VK_ICD_FILENAMES=driver, VK_DRIVER_FILES=driver, LD_LIBRARY_PATH=path.rstrip(":"))


def inside(part, driver):
    env = dict(base_env(driver), LD_PRELOAD=part.folder + "/lib/libcuda.so.1",
               XDG_DATA_DIRS=part.folder + "/share:/usr/local/share:/usr/share")
    env["LD_LIBRARY_PATH"] = part.folder + "/lib:" + env["LD_LIBRARY_PATH"]
    return env


def working_driver(uuid):
    """The first description with which the GPU is found, and its number."""
    for driver in drivers():
        tried = []
        for number in range(4):
            talk = Talk([PROGRAM], base_env(driver))
            code = talk.ask("open %d" % number)
            name = talk.ask("name") if code == "0" else ""
            talk.close()
            tried.append(code + " " + name)
            if name.startswith(uuid) or (name and os.environ.get("SLICE_ANY_VULKAN")):
                tell("driver's Vulkan", description=driver, device=name, number=number)
                return driver, number, name
            if code != "0":
                break
        said = subprocess.run([PROGRAM], input="open\n", text=True, capture_output=True, timeout=30,
                              env=dict(base_env(driver), VK_LOADER_DEBUG="error,warn"))
        tell("no GPU by this description", description=driver, tried=tried, loader=said.stderr[-600:])
    return None


def seen(nvml, pid):
    """Bytes of the process by NVML, in either list."""
    most = 0
    for list_name in ("Compute", "Graphics"):
        records, count = (nvml.Record * 512)(), ctypes.c_uint(512)
        ask = getattr(nvml.library, "nvmlDeviceGet%sRunningProcesses_v3" % list_name)
        if ask(nvml.device, ctypes.byref(count), records) == 0:
            most = max([most] + [r.bytes for r in records[:count.value] if r.pid == pid])
    return most


def mib(count):
    return round(count / MIB, 2)


def sizes(lab, driver, number):
    """What the driver takes for a device and for allocations of each size, without a slice."""
    talk = Talk([PROGRAM], base_env(driver))
    talk.ask("open %d" % number)
    before = seen(lab.nvml, talk.pid)
    code = talk.ask("start")
    device = seen(lab.nvml, talk.pid)
    each = {}
    for size in (4096, 65536, 65537, 300000, MIB, MIB + 1, 2 * MIB, 2 * MIB + 1, 5 * MIB):
        last = seen(lab.nvml, talk.pid)
        codes = {talk.ask("alloc %d" % size) for _ in range(16)}
        each[size] = [mib((seen(lab.nvml, talk.pid) - last) / 16), sorted(codes)]
    talk.ask("freeall")
    left = seen(lab.nvml, talk.pid)
    heaps = talk.numbers("heaps")
    talk.close()
    tell("a device, and one allocation of so many bytes, MiB by NVML", instance=mib(before), code=code,
         device=mib(device), sizes=each, all_freed=mib(left), heap=mib(heaps[0]), budget=mib(heaps[1]))


def cap(lab, driver, number, bytes_each=8 * GIB):
    part = lab.add(bytes_each)
    talk = Talk([PROGRAM], inside(part, driver))
    talk.ask("open %d" % number)
    code = talk.ask("start")
    started = part.stat()
    shown = [mib(word) for word in talk.numbers("heaps")]
    large = talk.ask("fill %d %d" % (251 * MIB + 4099, 4 * bytes_each))
    small = talk.ask("fill %d %d" % (2 * MIB, bytes_each))
    tiny = talk.ask("fill %d %d" % (65536, 64 * MIB))
    time.sleep(1.5)
    full, books = seen(lab.nvml, talk.pid), part.stat()
    at_cap = [mib(word) for word in talk.numbers("heaps")]
    talk.ask("freeall")
    time.sleep(1.5)
    after = part.stat()
    again = talk.ask("alloc %d" % GIB)
    talk.kill()
    left = tools.wait_for(lambda: part.stat()["used"] == 0, 5)
    tell("cap of 8 GiB", start=code, shown_mib=shown, fills=[large, small, tiny],
         over_mib=mib(full - bytes_each), used_mib=mib(books["used"]), overhead_mib=mib(books["overhead"]),
         device_overhead_mib=mib(started["overhead"]), shown_when_full=at_cap, refused=books["refused"],
         used_after_free_mib=mib(after["used"]), again=again, free_after_kill_s=left)
    part.remove()


def two_programs(lab, driver, number, bytes_each=8 * GIB):
    """One part, one program by Vulkan and one by CUDA: they fill it together."""
    part = lab.add(bytes_each)
    talk, other = Talk([PROGRAM], inside(part, driver)), part.client()
    codes = [talk.ask("open %d" % number), talk.ask("start"), other.ask("init")]
    codes += [talk.ask("fill %d %d" % (128 * MIB, 3 * GIB)), other.ask("fill linear %d %d" % (128 * MIB, 64 * GIB)),
              talk.ask("alloc %d" % (128 * MIB))]
    time.sleep(1.5)
    held = seen(lab.nvml, talk.pid) + seen(lab.nvml, other.pid)
    tell("Vulkan and CUDA fill one part", codes=codes, over_mib=mib(held - bytes_each))
    talk.close()
    other.close()
    part.remove()


def shared(lab, driver, number):
    part = lab.add(8 * GIB)
    talk = Talk([PROGRAM], inside(part, driver))
    codes = {line: talk.ask(line % number if "%" in line else line) for line in ("open %d", "start", "cuda")}
    steps = []
    for line in ("shared %d" % GIB, "cuimport %d" % GIB, "culet", "freeall"):
        code = talk.ask(line)
        time.sleep(1.2)
        stat = part.stat()
        steps.append([line, code, mib(seen(lab.nvml, talk.pid)), mib(stat["used"]), mib(stat["overhead"])])
    tell("memory that Vulkan and CUDA share (step, code, MiB by NVML, used, overhead)", codes=codes, steps=steps)
    talk.close()
    part.remove()


def without_layer(lab, driver, number):
    """Vulkan that goes past the layer is found by NVML."""
    part = lab.add(2 * GIB)
    env = inside(part, driver)
    talk = Talk([PROGRAM], {name: value for name, value in env.items() if name != "XDG_DATA_DIRS"})
    joined = part.client()
    codes = [joined.ask("init"), talk.ask("open %d" % number), talk.ask("start"), talk.ask("fill %d %d" % (256 * MIB, 3 * GIB))]
    time.sleep(2.5)
    tell("Vulkan past the layer", codes=codes, by_nvml_mib=mib(seen(lab.nvml, talk.pid)), stat=part.stat(),
         events=lab.keep("events")["events"])
    talk.close()
    joined.close()
    part.remove()


def main():
    RESULTS.mkdir(parents=True, exist_ok=True)
    shutil.copy(VULKAN / "libgpuyard-vulkan.so.1", BUILD / "lib")
    tell("files", descriptions=[path for place in PLACES for path in glob.glob(place + "/*")], libraries=found_files(),
         devices=sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dri/*")))
    lab = Lab(str(BUILD), str(RESULTS))
    uuid = os.environ.get("SLICE_UUID") or lab.uuid
    found = working_driver(uuid)
    if found is None:
        tell("driver's Vulkan", found=False)
        return 1
    driver, number, name = found
    lab.uuid = name.split()[0]
    failed = 0
    for step in (sizes, cap, two_programs, shared, without_layer):
        try:
            step(lab, driver, number)
        except Exception as error:  # the other rows are still taken
            failed = 1
            tell(step.__name__, failed="%s: %s" % (type(error).__name__, str(error)[:400]))
    tools.sweep(None)
    return failed


sys.exit(main())
