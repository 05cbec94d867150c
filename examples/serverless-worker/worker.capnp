using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker.mjs", esModule = embed "dist/worker.mjs")],
      compatibilityDate = "2026-07-01",
      bindings = [
        (name = "MEMORY_API_URL", fromEnvironment = "MEMORY_API_URL"),
        (name = "MEMORY_API_KEY", fromEnvironment = "MEMORY_API_KEY"),
        (name = "ACCESS_TOKEN", fromEnvironment = "ACCESS_TOKEN"),
      ],
    )),
    (name = "internet", network = (
      # The private ones are for the server of this repository; elsewhere, leave only "public".
      allow = ["public", "private", "local"],
      tlsOptions = (trustBrowserCas = true),
    )),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8789", http = (), service = "worker")],
);
