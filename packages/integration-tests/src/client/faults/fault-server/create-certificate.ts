import { generateKeyPairSync, sign } from 'node:crypto';

/** PEM texts for `node:tls`. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

interface CertificateOptions {
  /** Different for each certificate, because an issuer is found by its name. */
  readonly name: string;
  /** A DNS name, or an IPv4 address as its four bytes. */
  readonly host: string | readonly number[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const objectIds = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403', subjectAltName: '551d11' };

/**
 * Creates a self-signed certificate in DER. Node can sign, but cannot create certificates, and openssl may be missing.
 */
export function createCertificate({ name: commonName, host, notBefore, notAfter }: CertificateOptions): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(objectIds.ecdsaWithSha256));
  const name = sequence(set(sequence(objectId(objectIds.commonName), der(0x0c, Buffer.from(commonName)))));
  const alternative = typeof host === 'string' ? der(0x82, Buffer.from(host)) : der(0x87, Buffer.from(host));
  const extension = sequence(objectId(objectIds.subjectAltName), der(0x04, sequence(alternative)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])), // serial number
    algorithm,
    name,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  return {
    cert: toPem(sequence(body, algorithm, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return der(0x31, part);
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8];
  return Buffer.concat([Buffer.from([tag, ...size, length & 0xff]), content]);
}

function toPem(bytes: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}
