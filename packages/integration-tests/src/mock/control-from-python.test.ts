import { spawn } from 'node:child_process';
import { startMockServer } from '@memory-read/msw/server';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { endOf } from '@memory-read/test-kit/start-process';
import { expect, onTestFinished, test } from 'vitest';

const program = `
import json, sys, urllib.error, urllib.request
control = sys.argv[1]

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    request = urllib.request.Request(control + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, json.loads(response.read() or "null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())

def get(space, path):
    request = urllib.request.Request(space["baseUrl"] + path, headers={"X-API-Key": space["apiKey"]})
    try:
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code

_, space = call("POST", "/spaces", {"memories": [], "now": "2026-03-01T12:00:00Z"})
root = "/spaces/" + space["id"]
_, memory = call("POST", root + "/memories", {"memory": {"id": "mem_ü/1"}})
call("POST", root + "/faults", {"fault": {"status": 503}})
statuses = [get(space, "/v1/memories"), get(space, "/v1/memories")]
_, log = call("GET", root + "/requests?after=1&wait=20")
refused = call("POST", root + "/clock", {"advance": -1})
unknown = call("DELETE", root + "/memories/mem_9")
# Without a body, urllib sends neither a length nor a type.
reset = call("POST", root + "/reset")
print(json.dumps([memory["id"], statuses, [entry["seq"] for entry in log["requests"]], refused, unknown, reset,
                  call("GET", root + "/memories"), call("DELETE", root)[0], call("GET", root)[0]]))
`;

test.runIf(isInstalled('python3'))('Python controls a space with urllib', async () => {
  const server = await startMockServer({ control: {} });
  onTestFinished(() => server.close());
  const { stdout, stderr } = await endOf(spawn('python3', ['-c', program, String(server.controlUrl)]));
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([
    'mem_ü/1',
    [503, 200],
    [2],
    [
      422,
      {
        detail: 'Failed to advance the clock: milliseconds is -1, which is not a number of at least 0. Pass 0 or more.',
      },
    ],
    [404, { detail: 'Failed to remove a memory: the memory "mem_9" does not exist. Pass one of "mem_ü/1".' }],
    [204, null],
    [200, []],
    204,
    404,
  ]);
});
