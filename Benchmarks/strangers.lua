-- Sends what a file holds, compressed, with a key that nobody has; the file's path is the first argument.
function init(arguments)
  wrk.method = "POST"
  local file = assert(io.open(arguments[1], "rb"))
  wrk.body = file:read("*a")
  file:close()
  wrk.headers["Authorization"] = "Bearer nobody"
  wrk.headers["Content-Type"] = "application/scim+json"
  wrk.headers["Content-Encoding"] = "gzip"
end
