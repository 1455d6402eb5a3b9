-- wrk -s fill.lua URL -- TAG FILE: POSTs users whose userNames begin with TAG; writes the names of those that were
-- acknowledged to FILE, and how many answers there were of each status to FILE.status.
local tag, path, count = "", "", 0
local acknowledged
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  tag, path = args[1], args[2]
  acknowledged = io.open(path, "w")
  statuses = {}
end

function request()
  count = count + 1
  local name = tag .. "." .. count
  return wrk.format("POST", nil, nil, '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"' .. name
    .. '","nickName":"' .. name .. '","title":"of ' .. tag .. '","displayName":"' .. string.rep("x", 500)
    .. '","emails":[{"value":"' .. name .. '@bench.example","type":"work"}]}')
end

function response(status, headers, body)
  statuses[status] = (statuses[status] or 0) + 1
  if status == 201 then
    acknowledged:write(body:match('"userName":"([^"]*)"'), "\n")
    acknowledged:flush()
  end
  -- Rewritten now and then: wrk does not tell a thread that it ends.
  if count % 20 == 0 then
    local file = io.open(path .. ".status", "w")
    for code, times in pairs(statuses) do file:write(code, " ", times, "\n") end
    file:close()
  end
end
