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
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createContext } from './create-context.ts';
import { startServer } from './run-server.ts';
import { runSteps } from './run-steps.ts';

const documents = parseAllDocuments(readFileSync(join(root, 'deploy/kubernetes/deployment.yaml'), 'utf8'));
const [deployment, service, budget, policy] = documents.map((document) => document.toJS({ maxAliasCount: 0 })) as [
  IDeployment,
  IService,
  IPodDisruptionBudget,
  INetworkPolicy,
];
const pod = deployment.spec?.template.spec;
const container = pod?.containers[0];
if (!pod || !container) throw new Error('Failed to read the Deployment: it has no container. Add it.');

test('the files have the forms of Kubernetes', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(documents).toHaveLength(4);
  const all = [
    new Deployment(deployment),
    new Service(service),
    new PodDisruptionBudget(budget),
    new NetworkPolicy(policy),
  ];
  for (const resource of all) expect(() => resource.validate()).not.toThrow();
  const unknown = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } } as unknown as IDeployment;
  expect(() => new Deployment(unknown).validate()).toThrow();
  expect([deployment, service, budget, policy].map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'apps/v1 Deployment',
    'v1 Service',
    'policy/v1 PodDisruptionBudget',
    'networking.k8s.io/v1 NetworkPolicy',
  ]);
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
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
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

test('the container starts with its arguments and secrets, answers its probes, and ends on SIGTERM', async () => {
  const folder = makeFolder();
  const context = join(folder, 'context');
  createContext(context);
  await using disposables = new AsyncDisposableStack();
  const postgres = await startPostgres();
  disposables.defer(() => postgres.stop());
  const mounts = Object.fromEntries(
    (container.volumeMounts ?? []).map(({ name, mountPath }) => [mountPath, join(folder, name)]),
  );
  for (const path of Object.values(mounts)) mkdirSync(path);
  const [secrets = ''] = Object.values(mounts);
  writeFileSync(join(secrets, 'postgres-url'), `${postgres.url}\n`, { mode: 0o600 });
  writeFileSync(
    join(secrets, 'media-secrets.json'),
    JSON.stringify([{ id: 'main', secret: 'a secret of at least 16 bytes' }]),
  );
  const image = runSteps(makeFolder(), context);
  const port = await freePort();
  const args = (container.args ?? []).map((argument) => argument.replace('8787', String(port)).replace('9464', '0'));
  const { program, options } = image.inContainer([...image.config.Entrypoint, ...args], mounts);
  const { child, ready, ended } = await startServer(program, options);
  expect(ready.baseUrl).toBe('https://api.example.com');
  for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
    expect((await fetch(`http://127.0.0.1:${port}${probe?.httpGet?.path}`)).status).toBe(200);
  const metrics = await fetch(`${ready.metricsUrl}`);
  expect(await metrics.text()).toContain('memory_read_requests_total{operation="readyz",status="200"');
  await postgres.shutDown();
  const statusOf = async (probe: typeof container.livenessProbe) =>
    (await fetch(`http://127.0.0.1:${port}${probe?.httpGet?.path}`)).status;
  // A success counts for a second.
  await expect.poll(() => statusOf(container.readinessProbe)).toBe(503);
  expect(await statusOf(container.livenessProbe)).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
