import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { usageError } from '../terminal/command-error.ts';
import { parseTls, type ToError, tlsParameters } from './postgres-tls.ts';

/** A PostgreSQL database, with the settings of its connections. */
export interface PostgresDatabase {
  /** URL for messages: with the user, the hosts and their ports, and without the password and other parameters. */
  name: string;
  /** Hosts in the order in which they are tried. */
  hosts: readonly PostgresHost[];
  /** Whether a host that accepts no writes is passed over. Undefined if the URL does not say it. */
  mustBeWritable?: boolean | undefined;
  /** Fields for `pg`. Where one is undefined, `pg` uses its environment variable. */
  settings: PostgresSettings;
}

/** A server, or the folder of its Unix socket. */
export interface PostgresHost {
  host: string | undefined;
  port: number | undefined;
}

/** Settings that are the same for all hosts. */
export interface PostgresSettings {
  user: string;
  password: string | undefined;
  database: string | undefined;
  options: string | undefined;
  application_name: string;
  ssl: false | ConnectionOptions;
}

const parameterNames = [
  ...['application_name', 'host', 'options', 'password', 'port', 'target_session_attrs', 'user'],
  ...tlsParameters,
];

/**
 * Parses the URL of a database, which is the value of the option.
 *
 * @throws CommandError, which does not repeat the URL, because it may contain a password.
 */
export function parsePostgresUrl(text: string, env: NodeJS.ProcessEnv, option = '--postgres'): PostgresDatabase {
  const problem: ToError = (description) => usageError(`${option}: ${description}`);
  const [, authority, path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is.exec(text) ?? [];
  if (authority === undefined) throw notUrl(problem);
  // An unescaped character of the password would make it part of the host or the path, and of messages.
  if (/[#\s\p{Cc}]|%00/u.test(text) || /@/.test(path + query) || !canDecode(authority + path + query)) {
    throw problem('a special character in it is not percent-encoded. Write @ as %40, / as %2F, # as %23 and % as %25.');
  }
  const credentialsEnd = authority.lastIndexOf('@');
  const [username = '', ...password] = authority.slice(0, Math.max(credentialsEnd, 0)).split(':');
  const hostList = authority.slice(credentialsEnd + 1);
  const parameters = parseParameters(query, problem);
  const hosts = hostList === '' ? [hostOfParameters(parameters, problem)] : parseHosts(hostList, parameters, problem);
  assertVariables(hosts, env);
  return {
    name: nameOf({ username, hostList, path, parameters }),
    hosts,
    mustBeWritable: parseTarget(parameters.target_session_attrs, problem),
    settings: {
      user: parameters.user || decodeURIComponent(username) || env.PGUSER || systemUser(env, problem),
      password: parameters.password || decodeURIComponent(password.join(':')),
      database: decodeURIComponent(path),
      options: parameters.options,
      application_name: parameters.application_name ?? 'memory-read',
      ssl: parseTls(parameters, env, problem),
    },
  };
}

type Parameters = Record<string, string | undefined>;

interface UrlParts {
  username: string;
  hostList: string;
  path: string;
  parameters: Parameters;
}

function nameOf({ username, hostList, path, parameters: { user, host, port } }: UrlParts): string {
  const shownUser = user === undefined ? username : encodeURIComponent(user);
  const query = Object.entries({ host, port }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2F', '/')}`],
  );
  const ends = [path === '' ? '' : `/${path}`, query.length === 0 ? '' : `?${query.join('&')}`];
  return `postgres://${shownUser === '' ? '' : `${shownUser}@`}${hostList}${ends.join('')}`;
}

function parseParameters(query: string, problem: ToError): Parameters {
  const entries = [...new URLSearchParams(query)];
  if (!entries.every(([name]) => parameterNames.includes(name))) {
    throw problem(`it has a parameter that is not supported. Use only ${parameterNames.toSorted().join(', ')}.`);
  }
  // With two values, it would be unclear which one counts.
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    throw problem('it has a parameter twice. Remove one of them.');
  }
  return Object.fromEntries(entries);
}

function parseHosts(list: string, parameters: Parameters, problem: ToError): PostgresHost[] {
  if (parameters.host !== undefined || parameters.port !== undefined) {
    throw problem('it has hosts and the parameter host or port. Write HOST:PORT before the database.');
  }
  return list.split(',').map((entry) => {
    const url = URL.canParse(`postgres://${entry}`) ? new URL(`postgres://${entry}`) : undefined;
    if (!url?.hostname || url.port === '0') throw notUrl(problem);
    const host = decodeURIComponent(url.hostname).replace(/^\[(.+)\]$/, '$1');
    return { host, port: url.port === '' ? undefined : Number(url.port) };
  });
}

function hostOfParameters({ host, port }: Parameters, problem: ToError): PostgresHost {
  if (port !== undefined && !isPort(port)) {
    throw problem('its parameter port is not a number from 1 to 65535. Pass the port of the server.');
  }
  if (host?.includes(',')) {
    throw problem('its parameter host is a list. Write HOST:PORT,HOST:PORT before the database.');
  }
  return { host, port: port === undefined ? undefined : Number(port) };
}

/** Checks the variables that `pg` uses for these hosts. */
function assertVariables(hosts: readonly PostgresHost[], { PGHOST, PGPORT }: NodeJS.ProcessEnv): void {
  if (PGPORT && !isPort(PGPORT) && hosts.some(({ port }) => port === undefined)) {
    throw usageError('PGPORT: it is not a number from 1 to 65535. Set it to the port of the server.');
  }
  if (PGHOST?.includes(',') && hosts.some(({ host }) => !host)) {
    throw usageError('PGHOST: it is a list. Write HOST:PORT,HOST:PORT into the URL.');
  }
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

/**
 * Returns the default of the tools of PostgreSQL. `pg` reads USER instead, which cron jobs and containers may lack.
 *
 * @throws CommandError if the user has no name, because PostgreSQL requires one.
 */
function systemUser({ USER }: NodeJS.ProcessEnv, problem: ToError): string {
  try {
    return userInfo().username;
  } catch {
    // The system does not know the id of the user, as in some containers.
    if (USER) return USER;
    throw problem('it has no user, and your user of the system has no name. Write USER@ before the host.');
  }
}

function parseTarget(text: string | undefined, problem: ToError): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'any' || text === 'read-write') return text === 'read-write';
  throw problem('its target_session_attrs is not supported. Use any or read-write.');
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function notUrl(problem: ToError): Error {
  return problem('it is not the URL of a database. Pass file:PATH, env:NAME or postgres://USER@HOST:PORT/DATABASE.');
}
