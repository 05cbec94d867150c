import { probeClient } from './client-probe.mjs';

// Runs as a dedicated worker and as a service worker. The report is sent to the port in the message.
addEventListener('message', ({ data: form, ports: [port] }) => {
  void probeClient(form).then((report) => port.postMessage(report));
});
