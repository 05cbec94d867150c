/** Reads each event and accepts it. */
import { listen } from '../loopback/listen.ts';

listen((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
