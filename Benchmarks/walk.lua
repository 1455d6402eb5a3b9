-- wrk -s walk.lua URL -- FILE: GETs the paths in FILE, one a line, one after the other and then again from the first.
-- The requests are made before the clock starts, so that they cost the client next to nothing.
local requests, at = {}, 0

function init(args)
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
  at = tonumber(args[2] or 0) % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end
