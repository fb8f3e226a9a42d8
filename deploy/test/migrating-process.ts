import { migrate } from '@prosa/kernel/postgres/migrations'
import { readConfig } from '@prosa/kernel/process/config'
import { migrationsOf } from '@prosa/kernel/process/open-ports'
import { allServices } from '../src/all-services.ts'

const [databaseUrl = ''] = process.argv.slice(2)
await migrate(databaseUrl, migrationsOf(allServices(readConfig('development', {})), true))
process.exit(0)
