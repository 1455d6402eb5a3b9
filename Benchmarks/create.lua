-- wrk -s create.lua URL -- TAG: POSTs users whose userNames begin with TAG; all differ.
local head = '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User",'
  .. '"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],"userName":"'
local tag, count = "", 0

function init(args)
  tag = args[1]
end

function request()
  count = count + 1
  local name = tag .. "." .. count .. "@bench.example"
  return wrk.format("POST", nil, nil, head .. name .. '","externalId":"' .. tag .. "-" .. count
    .. '","name":{"givenName":"Barbara","familyName":"Jensen","formatted":"Barbara Jensen"},'
    .. '"displayName":"Barbara Jensen","title":"Senior Engineer","active":true,"locale":"en-US",'
    .. '"emails":[{"value":"' .. name .. '","type":"work","primary":true}],'
    .. '"phoneNumbers":[{"value":"tel:+1-555-0100","type":"work"}],'
    .. '"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User":{"employeeNumber":"' .. count
    .. '","department":"Engineering","costCenter":"CC-117"}}')
end
