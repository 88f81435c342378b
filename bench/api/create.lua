-- wrk: durable creation of workspaces, each with a name of its own.
local token, project, cluster, run = os.getenv("TOKEN"), os.getenv("PROJECT"), os.getenv("CLUSTER"), os.getenv("RUN")
local thread_count = 0
function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end
local made = 0
local most = tonumber(os.getenv("COUNT") or "") -- of each thread; none: until the time is over
function request()
  if made == most then wrk.thread:stop() end
  made = made + 1
  local body = string.format(
    '{"name":"b%s-%d-%d","projectId":"%s","clusterId":"%s","spec":{"image":"busybox","command":"train.py",' ..
    '"args":"--epochs 10 --lr 0.001","environmentVariables":[{"name":"SEED","value":"%d"}],' ..
    '"compute":{"gpuDevicesRequest":1,"gpuRequestType":"portion","gpuPortionRequest":0.5,"cpuCoreRequest":1,"cpuMemoryRequest":"2G"}}}',
    run, number, made, project, cluster, made)
  return wrk.format("POST", "/api/v1/workloads/workspaces",
    {["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json"}, body)
end
