import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { timePerCall } from '../measurement/time.ts';
import { signThree } from '../memories/sign-three.ts';

export const mediaUrlSigning: Row = {
  id: 'media-url-signing',
  title: 'Server: three media URLs signed',
  method:
    'One process signs the three URLs of a memory: with the signers of the server, with WebCrypto, with `node:crypto`, and with the presigner of the AWS SDK.',
  async measure({ sizes }) {
    const contenders = {
      hmac: () => timePerCall(sizes.callsARound, signThree.hmac),
      sigV4: () => timePerCall(sizes.callsARound, signThree.sigV4),
      webCrypto: () => timePerCall(sizes.callsARound, signThree.webCrypto),
      nodeCrypto: () => timePerCall(sizes.callsARound, signThree.nodeCrypto),
      awsSdk: () => timePerCall(sizes.callsARound, signThree.awsSdk),
    };
    const { hmac, sigV4, webCrypto, nodeCrypto, awsSdk } = await runRounds(sizes.rounds, contenders);
    return {
      findings: [
        { what: 'HMAC, a memory', value: spreadOf(hmac), unit: 'µs', goal: { atMost: 10 } },
        { what: 'HMAC, against WebCrypto', value: pairedRatio(hmac, webCrypto), unit: '×' },
        { what: 'HMAC, against `node:crypto`', value: pairedRatio(hmac, nodeCrypto), unit: '×' },
        { what: 'SigV4, a memory', value: spreadOf(sigV4), unit: 'µs', goal: { atMost: 40 } },
        { what: 'SigV4, against the AWS SDK', value: pairedRatio(sigV4, awsSdk), unit: '×' },
      ],
      explanation:
        'The signers are synchronous JavaScript, which runs on every runtime with `fetch`. A promise of WebCrypto costs more than the hash. Each HMAC takes three or four blocks of SHA-256. A next step is an option of `/node` that passes `node:crypto` to the keyring.',
    };
  },
};
