import { probeClient } from './client-probe.ts';

// As a dedicated worker and as a service worker: whoever sends a port gets the report through it.
addEventListener('message', (event) => {
  const [port] = (event as MessageEvent).ports;
  void probeClient().then((report) => port?.postMessage(report));
});
