import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { root } from '@memory-read/test-kit/repository';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1';
import { type INetworkPolicy, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { type IPodDisruptionBudget, PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { type IService, Service } from 'kubernetes-models/v1';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { spawnCommand, untilReady } from '../serving/start-serve.ts';

const documents = parseAllDocuments(readFileSync(join(root, 'deploy/kubernetes/deployment.yaml'), 'utf8'));
const resources = documents.map((document) => document.toJS({ maxAliasCount: 0 }));
const [deployment, service, budget, policy] = resources as [
  IDeployment,
  IService,
  IPodDisruptionBudget,
  INetworkPolicy,
];
const pod = deployment.spec?.template.spec;
const container = pod?.containers[0];
if (!pod || !container) throw new Error('Failed to read the Deployment: it has no container. Add it.');
const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];

test('the files have the forms of Kubernetes', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const kinds = [Deployment, Service, PodDisruptionBudget, NetworkPolicy];
  expect(resources).toMatchObject(kinds.map(({ apiVersion, kind }) => ({ apiVersion, kind })));
  expect(resources).toHaveLength(kinds.length);
  for (const [index, Kind] of kinds.entries()) expect(() => new Kind(resources[index]).validate()).not.toThrow();
});

test('the selectors, ports and volumes fit each other', () => {
  const labels = deployment.spec?.template.metadata?.labels;
  const selectors = [
    deployment.spec?.selector.matchLabels,
    service.spec?.selector,
    budget.spec?.selector?.matchLabels,
    policy.spec?.podSelector?.matchLabels,
  ];
  expect(selectors).toEqual(Array(4).fill(labels));
  const ports = container.ports?.map(({ name }) => name);
  for (const port of [
    ...probes.map((probe) => probe?.httpGet?.port),
    ...(service.spec?.ports ?? []).map(({ targetPort }) => targetPort),
    ...(policy.spec?.ingress ?? []).flatMap(({ ports: open = [] }) => open.map(({ port }) => port)),
  ])
    expect(ports).toContain(port);
  expect(container.volumeMounts?.map(({ name }) => name)).toEqual(pod.volumes?.map(({ name }) => name));
  // Shutting down takes up to 11 seconds after preStop.
  const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(preStop + 11);
});

test('the pod is restricted as the standard of that name demands, with a read-only root file system', () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
});

test('the command starts with the arguments and secrets, answers the probes, and ends on SIGTERM', async () => {
  const folder = makeFolder();
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const port = await freePort();
  let args = container.args?.join('\n').replace('8787', String(port)).replace('9464', '0') ?? '';
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    mkdirSync(join(folder, name));
    args = args.replaceAll(mountPath, join(folder, name));
  }
  const secrets = join(folder, container.volumeMounts?.[0]?.name ?? '');
  const write = (name: string, text: string) => writeFileSync(join(secrets, name), text, { mode: 0o600 });
  write('postgres-url', `${postgres.url}\n`);
  write('media-secrets.json', JSON.stringify([{ id: 'main', secret: 'a secret of at least 16 bytes' }]));

  const server = await untilReady(spawnCommand(args.split('\n'), {}));
  const statusOf = async (probe: (typeof probes)[number]) =>
    (await fetch(`http://127.0.0.1:${port}${probe?.httpGet?.path}`)).status;
  expect(server.baseUrl).toBe('https://api.example.com');
  for (const probe of probes) expect(await statusOf(probe)).toBe(200);
  const metrics = await fetch(`${server.metricsUrl}`);
  expect(await metrics.text()).toContain('memory_read_requests_total{operation="readyz",status="200"');
  await postgres.shutDown();
  // A success counts for a second.
  await expect.poll(() => statusOf(container.readinessProbe)).toBe(503);
  expect(await statusOf(container.livenessProbe)).toBe(200);
  await server.close();
  expect(server.child.exitCode).toBe(0);
});
