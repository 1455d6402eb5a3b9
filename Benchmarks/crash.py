"""The clients of crash.sh: ROSTER DATABASE PORT KEY ROUNDS SECONDS CONNECTIONS RANDOM."""
import atexit
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.parse

ROSTER, DATABASE, PORT, KEY = sys.argv[1:5]
ROUNDS, SECONDS, CONNECTIONS, RANDOM = int(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7]), int(sys.argv[8])
CORE = "urn:ietf:params:scim:schemas:core:2.0:"
OKTA, DRAFT = "urn:okta:scim:schemas:core:1.0:Role", CORE + "Role"
MESSAGE = "urn:ietf:params:scim:api:messages:2.0:"


class Client:
    def __init__(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", int(PORT), timeout=60)

    def send(self, method, path, body=None):
        """Status and document of the answer; an OSError or HTTPException if there was none."""
        fields = {"Authorization": "Bearer " + KEY, "Content-Type": "application/scim+json"}
        self.connection.request(method, "/scim/v2" + path, None if body is None else json.dumps(body), fields)
        answer = self.connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else {}

    def total(self, path, condition):
        status, found = self.send("GET", path + "?count=1&filter=" + urllib.parse.quote(condition))
        return found.get("totalResults") if status == 200 else "status %d" % status

    def all(self, path):
        """Every resource of an endpoint by its id, of which each must come once."""
        found, start = {}, 1
        while True:
            status, page = self.send("GET", "%s?count=1000&startIndex=%d" % (path, start))
            if status != 200:
                fault("wrong", "GET %s was answered %d: %s" % (path, status, page))
                return found
            for item in page.get("Resources", []):
                if item["id"] in found:
                    fault("wrong", "%s/%s is listed twice" % (path, item["id"]))
                found[item["id"]] = item
            start += len(page.get("Resources", []))
            if start > page["totalResults"] or not page.get("Resources"):
                if len(found) != page["totalResults"]:
                    fault("wrong", "%s: %d listed, totalResults %d" % (path, len(found), page["totalResults"]))
                return found


class Server:
    """The process of the server; there is one at a time."""
    process = None

    def start(self):
        self.process = subprocess.Popen([ROSTER, "serve", "--db", DATABASE, "--port", PORT], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=open(DATABASE + ".err", "ab"))

    def ready(self):
        if not self.process.stdout.readline():
            raise SystemExit("the server did not start: %s" % open(DATABASE + ".err").read()[-2000:])

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None


counts = {"lost": 0, "half": 0, "wrong": 0}
lock = threading.Lock()


def fault(kind, text):
    with lock:
        counts[kind] += 1
        if counts[kind] <= 20:
            print("%s: %s" % (kind.upper(), text), flush=True)


class User:
    """A user and its value, from which all of its attributes follow; one that ends with r holds the role."""
    def __init__(self, name, value):
        self.id, self.name, self.value, self.old, self.hub = None, name, value, None, False


class Group:
    def __init__(self, name, members):
        self.id, self.name, self.members = None, name, members


def attributes(value):
    """What a write of the value gives a user, the role apart."""
    return {"title": value, "nickName": value, "emails": [{"value": value + "." + part + "@a.example"} for part in "ab"]}


def document(user, value, role):
    made = dict({"schemas": [CORE + "User"], "userName": user.name}, **attributes(value))
    if value.endswith("r"):
        made["roles"] = [{"value": role}]
    return made


def changes(value, role):
    operations = [{"op": "replace", "path": path, "value": new} for path, new in attributes(value).items()]
    operations.append({"op": "replace", "path": "roles", "value": [{"value": role}]} if value.endswith("r")
                      else {"op": "remove", "path": "roles"})
    return {"schemas": [MESSAGE + "PatchOp"], "Operations": operations}


class Worker:
    """One client, with users and groups that it alone changes. `pending` is what the request under way does."""
    def __init__(self, number, shared):
        self.number, self.shared, self.random = number, shared, random.Random(RANDOM * 1000 + number)
        self.users, self.groups, self.pending, self.names, self.acknowledged = {}, {}, [], 0, 0
        self.begin()

    def begin(self):
        self.pending, self.touched, self.gone, self.broken = [], {}, [], None

    def name(self, kind):
        self.names += 1
        return "%s%d-%d" % (kind, self.number, self.names)

    def value(self):
        return self.name("t") + self.random.choice(["", "r"])

    def pick(self, count):
        return self.random.sample(list(self.users.values()), min(count, len(self.users)))

    def apply(self, kind, item, new):
        """Notes what is known to be stored."""
        if kind == "post":
            self.users[item.id] = self.touched[item.id] = item
        elif kind == "value":
            item.old, item.value = item.value, new
            self.touched[item.id] = item
        elif kind == "hub":
            item.hub = new
        elif kind == "delete":
            del self.users[item.id]
            self.touched.pop(item.id, None)
            self.gone.append(("/Users", item))
        elif kind == "post group":
            self.groups[item.id] = item
        elif kind == "delete group":
            del self.groups[item.id]
            self.gone.append(("/Groups", item))

    def one(self, client, pending, method, path, body=None):
        self.pending = [pending]
        status, answer = client.send(method, path, body)
        if status not in (200, 201, 204):
            fault("wrong", "%s %s was answered %d: %s" % (method, path, status, answer))
            return
        if method == "POST":
            pending[1].id = answer["id"]
        self.apply(*pending)
        self.acknowledged += 1
        self.pending = []

    def bulk(self, client, pending, operations):
        self.pending = pending
        status, answer = client.send("POST", "/Bulk", {"schemas": [MESSAGE + "BulkRequest"], "Operations": operations})
        if status != 200 or len(answer["Operations"]) != len(operations):
            fault("wrong", "Bulk was answered %d: %s" % (status, str(answer)[:500]))
            return
        for each, result in zip(pending, answer["Operations"]):
            if result["status"][0] != "2":
                fault("wrong", "an operation of Bulk was answered %s" % result)
                continue
            if each[0].startswith("post"):
                each[1].id = result["location"].rsplit("/", 1)[1]
            self.apply(*each)
            self.acknowledged += 1
        self.pending = []

    def mixed(self, client, size):
        """A Bulk request: new users, a group of them all before or behind them, a change and a deletion."""
        users = [User(self.name("u"), self.value()) for _ in range(size)]
        group = Group(self.name("g"), users)
        work = [(("post", user, None), {"method": "POST", "path": "/Users", "bulkId": user.name,
                                       "data": document(user, user.value, self.shared["role"])}) for user in users]
        work.insert(self.random.choice([0, size // 2, size]), (("post group", group, None), {
            "method": "POST", "path": "/Groups", "bulkId": group.name,
            "data": {"schemas": [CORE + "Group"], "displayName": group.name,
                     "members": [{"value": "bulkId:" + user.name} for user in users]}}))
        others = self.pick(3)
        for user in others[:2]:
            value = self.value()
            work.append((("value", user, value), {"method": "PATCH", "path": "/Users/" + user.id,
                                                  "data": changes(value, self.shared["role"])}))
        for user in others[2:]:
            work.append((("delete", user, None), {"method": "DELETE", "path": "/Users/" + user.id}))
        self.bulk(client, [each for each, _ in work], [operation for _, operation in work])

    def step(self, client):
        dice, some = self.random.random(), self.pick(1)
        if len(self.users) > 60:
            users = self.pick(len(self.users) - 30)
            self.bulk(client, [("delete", user, None) for user in users],
                      [{"method": "DELETE", "path": "/Users/" + user.id} for user in users])
        elif len(self.groups) > 8:
            group = self.random.choice(list(self.groups.values()))
            self.one(client, ("delete group", group, None), "DELETE", "/Groups/" + group.id)
        elif dice < 0.25 or not some:
            user = User(self.name("u"), self.value())
            self.one(client, ("post", user, None), "POST", "/Users", document(user, user.value, self.shared["role"]))
        elif dice < 0.45:
            value = self.value()
            self.one(client, ("value", some[0], value), "PUT", "/Users/" + some[0].id,
                     document(some[0], value, self.shared["role"]))
        elif dice < 0.7:
            value = self.value()
            self.one(client, ("value", some[0], value), "PATCH", "/Users/" + some[0].id,
                     changes(value, self.shared["role"]))
        elif dice < 0.8:
            self.one(client, ("delete", some[0], None), "DELETE", "/Users/" + some[0].id)
        elif dice < 0.88:
            operation = ({"op": "remove", "path": 'members[value eq "%s"]' % some[0].id} if some[0].hub else
                         {"op": "add", "path": "members", "value": [{"value": some[0].id}]})
            self.one(client, ("hub", some[0], not some[0].hub), "PATCH", "/Groups/" + self.shared["hub"],
                     {"schemas": [MESSAGE + "PatchOp"], "Operations": [operation]})
        else:
            self.mixed(client, 200 if dice > 0.99 else 3)

    def run(self):
        client = Client()
        try:
            while True:
                self.step(client)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.broken = (time.monotonic(), error)
        client.connection.close()


def settle(worker, users, groups, members):
    """Compares what is listed with what the worker knows, and takes over what its last request did."""
    tried = {}
    for kind, item, new in worker.pending:
        tried[(kind.split()[0], item.name)] = new
    by_name = {item["userName"]: item for item in users.values()}
    for user in list(worker.users.values()):
        found = users.get(user.id)
        if found is None:
            if ("delete", user.name) not in tried:
                fault("lost", "user %s is not there" % user.name)
            worker.apply("delete", user, None)
            continue
        if found.get("title") == tried.get(("value", user.name)):
            worker.apply("value", user, found["title"])
        elif found.get("title") != user.value:
            fault("lost", "user %s is %s instead of %s" % (user.name, found.get("title"), user.value))
            user.value = found.get("title")
        if (user.id in members[worker.shared["hub"]]) != user.hub:
            if ("hub", user.name) not in tried:
                fault("lost", "user %s in the hub: %s was acknowledged" % (user.name, user.hub))
            user.hub = not user.hub
    for kind, item, _ in worker.pending:
        if kind == "post" and item.name in by_name:
            item.id = by_name[item.name]["id"]
            if by_name[item.name].get("title") != item.value:
                fault("half", "user %s is %s" % (item.name, by_name[item.name]))
            worker.apply(kind, item, None)
        elif kind == "post group":
            for found in groups.values():
                if found["displayName"] == item.name:
                    item.id = found["id"]
                    for user in item.members:
                        if user.name not in by_name:
                            fault("half", "group %s is there, its member %s is not" % (item.name, user.name))
                    worker.apply(kind, item, None)
    for group in list(worker.groups.values()):
        if group.id not in groups:
            if ("delete", group.name) not in tried:
                fault("lost", "group %s is not there" % group.name)
            worker.apply("delete group", group, None)
        elif members[group.id] != {user.id for user in group.members if user.id in users}:
            fault("half", "group %s has other members" % group.name)


def verify(workers, shared):
    """Looks at all that is stored, and at what the round touched by id and by filter."""
    client = Client()
    users, groups = client.all("/Users"), client.all("/Groups")
    members = {i: {member["value"] for member in group.get("members", [])} for i, group in groups.items()}
    for worker in workers:
        settle(worker, users, groups, members)

    known = {i for worker in workers for i in worker.users}
    for i in users.keys() - known:
        fault("lost", "user %s is there, though it was deleted or never made" % users[i]["userName"])
    for i in groups.keys() - {i for worker in workers for i in worker.groups} - {shared["hub"]}:
        fault("lost", "group %s is there, though it was deleted or never made" % groups[i]["displayName"])
    for i, found in users.items():
        value = found.get("title", "")
        if found.get("nickName") != value or {m["value"] for m in found.get("emails", [])} != {
                m["value"] for m in attributes(value)["emails"]} or bool(found.get("roles")) != value.endswith("r"):
            fault("half", "user %s" % found)
        if {group["value"] for group in found.get("groups", [])} != {g for g in groups if i in members[g]}:
            fault("half", "user %s: its groups are not those that have it" % found["userName"])
    for i, group in groups.items():
        for member in members[i] - users.keys():
            fault("half", "group %s has member %s, who does not exist" % (group["displayName"], member))
    holders = sum(1 for found in users.values() if found.get("roles"))
    used = client.send("GET", "/Roles/" + shared["role"])[1].get(DRAFT, {}).get("totalAssignmentsUsed")
    listed = client.total("/Users", 'roles.value eq "%s"' % shared["role"])
    if (used or 0) != holders or listed != holders:
        fault("half", "%d hold the role, %s are counted, %s found" % (holders, used, listed))

    for worker in workers:
        for user in worker.touched.values():
            if client.send("GET", "/Users/" + user.id) != (200, users[user.id]):
                fault("lost", "user %s by its id is not as in the list" % user.name)
            condition = 'userName eq "%s" and title eq "%s" and emails.value eq "%s.b@a.example"' % (
                user.name, user.value, user.value)
            for path, wanted in ((condition, 1), ('title eq "%s"' % user.value, 1), ('userName eq "%s"' % user.name, 1),
                                 ('nickName eq "%s"' % user.old, 0)):
                found = client.total("/Users", path)
                if found != wanted:
                    fault("lost", "%s: %s found, not %d" % (path, found, wanted))
        for path, item in worker.gone:
            if client.send("GET", path + "/" + item.id)[0] != 404:
                fault("lost", "%s %s was deleted and is there" % (path, item.name))
            if path == "/Users" and client.total("/Users", 'userName eq "%s"' % item.name) != 0:
                fault("lost", "user %s was deleted and is found" % item.name)
    client.connection.close()
    return len(users), len(groups)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
server, shared = Server(), {}
atexit.register(server.kill)
server.start()
server.ready()
client = Client()
shared["hub"] = client.send("POST", "/Groups", {"schemas": [CORE + "Group"], "displayName": "hub"})[1]["id"]
shared["role"] = client.send("POST", "/Roles", {"schemas": [OKTA, DRAFT], "displayName": "seat", DRAFT: {
    "limitedAssignmentsPermitted": True, "totalAssignmentsPermitted": 1000000}})[1]["id"]
client.connection.close()
chance = random.Random(RANDOM)
workers = [Worker(number, shared) for number in range(CONNECTIONS)]
unknown = done = slowest = 0
for done in range(1, ROUNDS + 1):
    threads = [threading.Thread(target=worker.run, daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    time.sleep(chance.uniform(0.5, 1.5) * SECONDS)
    killed = time.monotonic()
    server.kill()
    for thread in threads:
        thread.join()
    for worker in workers:
        if worker.broken[0] < killed:
            fault("wrong", "a connection broke before the kill: %r" % worker.broken[1])
    unknown += sum(len(worker.pending) for worker in workers)
    if done % 5 == 0:
        server.start()
        time.sleep(chance.uniform(0, 0.1))
        server.kill()
    start = time.monotonic()
    server.start()
    server.ready()
    slowest = max(slowest, time.monotonic() - start)
    stored = verify(workers, shared)
    for worker in workers:
        worker.begin()
    if done % 10 == 0:
        print("round %d: %d acknowledged, %d users and %d groups stored, log %d KB" % (
            (done, sum(worker.acknowledged for worker in workers)) + stored +
            (os.path.getsize(DATABASE + "-wal") // 1024,)), flush=True)
server.kill()
print("%d rounds, %d acknowledged writes, %d under way when killed, slowest start %.2f s" % (
    done, sum(worker.acknowledged for worker in workers), unknown, slowest))
print("%d lost, %d halves, %d other wrong answers" % (counts["lost"], counts["half"], counts["wrong"]))
sys.exit(any(counts.values()))
