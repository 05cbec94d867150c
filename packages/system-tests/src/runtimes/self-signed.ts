import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate for it, made anew, that nobody trusts. */
export function createSelfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const algorithm = sequence(objectId('2a8648ce3d040302')); // ECDSA with SHA-256
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('127.0.0.1')))));
  const validity = sequence(...['250101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))));
  const serial = der(0x02, Buffer.from([1]));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const alternativeName = sequence(objectId('551d11'), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
  const extensions = der(0xa3, sequence(alternativeName));
  const content = sequence(version3, serial, algorithm, name, validity, name, publicKey, extensions);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, createPrivateKey(privateKey)));
  const body = sequence(content, algorithm, signature).toString('base64');
  return { key: privateKey, cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n` };
}

function objectId(hexadecimal: string): Buffer {
  return der(0x06, Buffer.from(hexadecimal, 'hex'));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** A tag, the length of the content, the content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [] : length < 256 ? [0x81] : [0x82, length >> 8];
  return Buffer.concat([Buffer.from([tag, ...size, length & 0xff]), content]);
}
