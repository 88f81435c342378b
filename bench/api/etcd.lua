-- wrk: durable puts of 900-byte values through etcd's HTTP gateway.
local thread_count = 0
function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end
local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local function base64(text)
  return ((text:gsub(".", function(c)
    local bits, byte = "", c:byte()
    for i = 8, 1, -1 do bits = bits .. (byte % 2 ^ i - byte % 2 ^ (i - 1) > 0 and "1" or "0") end
    return bits
  end) .. "0000"):gsub("%d%d%d?%d?%d?%d?", function(bits)
    if #bits < 6 then return "" end
    local value = 0
    for i = 1, 6 do value = value + (bits:sub(i, i) == "1" and 2 ^ (6 - i) or 0) end
    return letters:sub(value + 1, value + 1)
  end) .. ({"", "==", "="})[#text % 3 + 1])
end
local value = string.rep("x", 900):gsub("...", "eHh4")
local made = 0
function request()
  made = made + 1
  local key = base64(string.format("w%s-%02d-%09d", os.getenv("RUN") or "0", number, made))
  return wrk.format("POST", "/v3/kv/put", {["Content-Type"] = "application/json"},
    string.format('{"key":"%s","value":"%s"}', key, value))
end
