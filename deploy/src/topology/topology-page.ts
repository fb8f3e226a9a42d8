import { forwardedHeaders, internalHeaders, keyHeader } from './internal-headers.ts'
import { type ProcessName, processes, processNames } from './processes.ts'
import { gatewayRoutes } from './routes.ts'

const code = (text: string) => `\`${text}\``
const isOf = (name: ProcessName) => (route: { process: ProcessName }) => route.process === name

const routesOf = (name: ProcessName): string[] => {
  const methods = new Map<string, string[]>()
  for (const { method, path } of gatewayRoutes.filter(isOf(name)))
    methods.set(path, [...(methods.get(path) ?? []), method])
  return [...methods].map(([path, asked]) => `- ${code(path)}${asked.includes('*') ? '' : `: ${asked.join(', ')}`}`)
}

/** `docs/topology.md`. */
export const topologyPage = (): string =>
  [
    '# Which process answers what',
    '',
    'Written from the endpoints’ records (`deploy/src/topology/`); `deploy/test/topology.test.ts` compares, `-u` writes it anew.',
    'Why it is so: [0064](decisions/0064-topology-is-data.md). How to run it: [operating](operating.md#many-processes).',
    '',
    '| process | instances | routes | what it does |',
    '| --- | --- | --- | --- |',
    ...processNames.map((name) => {
      const { instances, does } = processes[name]
      return `| ${code(name)} | ${instances} | ${gatewayRoutes.filter(isOf(name)).length || 'the rest'} | ${does} |`
    }),
    '',
    `Never let in from outside: ${internalHeaders.map(code).join(', ')}; ${forwardedHeaders.map(code).join(', ')} only from proxies in ${code('PROSA_GATEWAY_TRUSTS')}. ${code(keyHeader)} (a program's key) only where an endpoint takes a key.`,
    ...processNames.flatMap((name) => {
      const routes = routesOf(name)
      return routes.length > 0 ? ['', `## ${name}`, '', ...routes] : []
    }),
    '',
  ].join('\n')
