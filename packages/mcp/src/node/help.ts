/** Text of `--help`. */
export const help = `Usage: memory-read-mcp [options]

Serves memories to an assistant over the Model Context Protocol: over standard input and output, or with --http.

Options:
  --base-url <url>             root of the API without /v1; MEMORY_API_URL by default
  --api-key <source>           env:NAME or file:PATH with the key; env:MEMORY_API_KEY by default
  --mirror <folder>            read a local mirror instead of the API; needs @memory-read/mirror
  --transcript-requests <n>    transcripts that one search requests; 16 by default
  --time-zone <iana-name>      time zone of the user; that of the system by default
  --memory-url <template>      link to a memory, with {id}; memory://{id} by default
  --version                    print the version
  --help                       print this text

Options of HTTP:
  --http                       serve over HTTP; the other options here need it
  --port <port>                port; a free one by default
  --host <address>             address to listen on; 127.0.0.1 by default
  --token <source>             env:NAME or file:PATH with the token that requests have to send
  --allowed-host <name>        name that requests can use in Host; repeatable
  --allowed-origin <origin>    origin of a web page that can send requests; repeatable
`;
