import { migrate } from '@prosa/kernel/postgres/migrations'
import { migrationsOf } from '@prosa/kernel/process/open-ports'
import { readConfig } from '@prosa/product/process/config'
import { allServices } from '../src/all-services.ts'

const [databaseUrl = ''] = process.argv.slice(2)
await migrate(databaseUrl, migrationsOf(allServices(readConfig('development', {})), true))
process.exit(0)
