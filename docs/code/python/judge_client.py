import json, os, sys, urllib.parse, urllib.request

TIMEOUT = int(os.environ["MEMORY_JUDGE_TIMEOUT_MS"]) / 1000


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # urllib would send the key to the target


opener = urllib.request.build_opener(NoRedirect)


def fetch(url, headers={}):
    with opener.open(urllib.request.Request(url, headers=headers), timeout=TIMEOUT) as response:
        return response.read()  # raises IncompleteRead if the body is cut


def read(path):
    url = os.environ["MEMORY_API_URL"].rstrip("/") + "/v1/memories" + path
    return json.loads(fetch(url, {"Authorization": "Bearer " + os.environ["MEMORY_API_KEY"]}))


def list_memories():
    memories = read("")
    if not isinstance(memories, list):
        raise ValueError("the response is not a list")
    return memories


def get_memory(memory_id):
    memory = read("/" + urllib.parse.quote(memory_id, safe=""))
    if memory.get("id") != memory_id:
        raise ValueError("the response is not the memory")
    return memory


def download(memory_id, kind, path):
    data = fetch(get_memory(memory_id)[kind + "_url"])
    with open(path, "wb") as file:
        file.write(data)


def shown(memory):
    return {name: memory[name] for name in ("id", "name", "started_at")}


def run(operation, memory_id):
    if operation == "list":
        return {"ok": True, "memories": [shown(memory) for memory in list_memories()]}
    if operation == "get":
        return {"ok": True, "memory": shown(get_memory(memory_id))}
    if operation == "download":
        download(memory_id, os.environ["MEMORY_JUDGE_KIND"], os.environ["MEMORY_JUDGE_OUTPUT"])
        return {"ok": True}
    return {"skip": "not supported"}


try:
    result = run(os.environ["MEMORY_JUDGE_OPERATION"], os.environ.get("MEMORY_JUDGE_MEMORY_ID"))
except Exception as error:
    result = {"ok": False, "error": str(error)}
print(json.dumps(result))
sys.exit(0 if result.get("ok", True) else 1)
