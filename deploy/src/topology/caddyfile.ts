import { sessionTokenHeader } from '@prosa/kernel/http/authentication/session-token'
import { sessionCookie } from '@prosa/kernel/http/sign-in/browser-sessions'
import { forwardedHeaders, internalHeaders, keyHeader } from './internal-headers.ts'
import { type ProcessName, processNames } from './processes.ts'
import { gatewayRoutes, pathsWithKeys } from './routes.ts'

/** Addresses `host:port`, or a name that stands for all instances. */
export type Upstreams = readonly string[] | { name: string; port: number }

export interface Gateway {
  /** Caddy's site address, e.g. `http://:3000` or `https://atendimento.example.com`. */
  site: string
  upstreams: Readonly<Record<ProcessName, Upstreams>>
  /** Lines of Caddy's global options. */
  options?: readonly string[]
  /** Lines inside the site, e.g. `bind 127.0.0.1`. */
  siteOptions?: readonly string[]
  /** Routes that only development has, e.g. `/api/simulador/*`, and where they lead. */
  also?: { path: string; to: string }
  /** Caddy 2.7: without it a reload of the configuration cuts every live connection. */
  hasStreamCloseDelay: boolean
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `\t${line}`))

const block = (head: string, lines: readonly string[]): string[] => [`${head} {`, ...indent(lines), '}']

/** RE2, over the decoded path. */
const wordOf = ({ method, path }: { method: string; path: string }): string => {
  if (!/[:*]/.test(path)) return `"${method} ${path}"`
  const escaped = path.replaceAll('.', '\\.')
  const pattern = escaped.replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '(?s:.*)')
  return `"~^${method === '*' ? '\\S+' : method} ${pattern}$"`
}

/** One line an endpoint; `vars` reads it once a request, as a value of `map` is looked up at each use. */
const routing = (): string[] => [
  ...block('map {method} {asks}', ['HEAD GET', 'default {method}']),
  ...block('map "{asks} {path}" {owner}', [
    ...gatewayRoutes.map((route) => `${wordOf(route)} ${route.process}`),
    'default web',
  ]),
  'vars process {owner}',
]

const to = (upstreams: Upstreams): string[] =>
  'name' in upstreams
    ? block('dynamic a', [`name ${upstreams.name}`, `port ${upstreams.port}`, 'refresh 1s'])
    : [
        `to ${upstreams.join(' ')}`,
        // Caddy asks only addresses that it knows by themselves.
        'health_uri /health/ready',
        'health_interval 1s',
        'health_timeout 5s',
      ]

const proxy = (process: ProcessName, { upstreams, hasStreamCloseDelay }: Gateway): string[] => [
  `@${process} vars process ${process}`,
  ...block(`reverse_proxy @${process}`, [
    ...to(upstreams[process]),
    // Polling stays at the process that has its session.
    ...(process === 'realtime' ? ['lb_policy cookie prosa_gateway'] : ['lb_policy least_conn']),
    // Until the process is started again; what it may have begun is not sent twice.
    'lb_try_duration 10s',
    'lb_try_interval 100ms',
    'fail_duration 2s',
    ...(process === 'realtime' && hasStreamCloseDelay ? ['stream_close_delay 5m'] : []),
    'header_up X-Forwarded-For {header.X-Forwarded-For}',
    'header_up X-Forwarded-Proto {header.X-Forwarded-Proto}',
  ]),
]

/** Nobody unless set. */
const trusted = '{$PROSA_GATEWAY_TRUSTS:255.255.255.255/32}'

const guarding = (): string[] => [
  ...internalHeaders.map((name) => `request_header -${name}`),
  `@keyless not path ${pathsWithKeys.join(' ')}`,
  `request_header @keyless -${keyHeader}`,
  `@outside not remote_ip ${trusted}`,
  ...forwardedHeaders.map((name) => `request_header @outside -${name}`),
  'request_header @outside X-Forwarded-For {remote_host}',
  'request_header @outside X-Forwarded-Proto {scheme}',
]

/** Other processes learn of a session by identity's token only; visitors cost no question (docs/decisions/0065-session-tokens.md). */
const authenticating = ({ upstreams }: Gateway): string[] => [
  ...block('@session', [
    `header Cookie *${sessionCookie}=*`,
    `vars process ${processNames.filter((name) => name !== 'identity' && name !== 'web').join(' ')}`,
  ]),
  ...block('forward_auth @session', [
    ...to(upstreams.identity),
    'uri /internal/authenticate',
    `copy_headers ${sessionTokenHeader}`,
    // It is asked about a WebSocket, not for one.
    'header_up -Upgrade',
    'header_up -Connection',
    'lb_policy least_conn',
    'lb_try_duration 10s',
    'lb_try_interval 100ms',
    'fail_duration 2s',
  ]),
]

const development = ({ also }: Gateway): string[] =>
  also ? [`@also path ${also.path}`, ...block('reverse_proxy @also', [`to ${also.to}`, 'flush_interval -1']), ''] : []

/** The gateway's configuration, as `caddy fmt` would write it. */
export const caddyfile = (gateway: Gateway): string => {
  const { site, options = [], siteOptions = [] } = gateway
  const route = [
    '# What services trust never comes in from outside.',
    ...guarding(),
    '',
    ...development(gateway),
    ...routing(),
    '',
    ...authenticating(gateway),
    '',
    ...processNames.flatMap((process) => [...proxy(process, gateway), '']),
  ]
  const failing = block('handle_errors', [
    'header Retry-After 2',
    'header Content-Type "text/plain; charset=utf-8"',
    'respond "O Prosa está voltando. Tente de novo em instantes." {err.status_code}',
  ])
  return `${[
    '# Written by deploy/src/topology/caddyfile.ts; a test compares: npx vitest run deploy/test/caddyfile -u',
    ...(options.length > 0 ? block('', options).map((line) => line.replace(/^ \{/, '{')) : []),
    '',
    ...block(site, [...siteOptions, ...block('route', route.slice(0, -1)), ...failing]),
  ].join('\n')}\n`
}

/** In containers: of the image `caddy`, each service under its name. */
export const composeCaddyfile = (): string =>
  caddyfile({
    site: '{$PROSA_PUBLIC_URL:https://localhost}',
    upstreams: Object.fromEntries(processNames.map((name) => [name, { name, port: 3000 }])) as Record<
      ProcessName,
      Upstreams
    >,
    hasStreamCloseDelay: true,
  })
