import { probeClient } from './client-probe.ts';

// Runs as a dedicated worker and as a service worker. The report is sent to the port in the message.
addEventListener('message', (event) => {
  const [port] = (event as MessageEvent).ports;
  void probeClient().then((report) => port?.postMessage(report));
});
