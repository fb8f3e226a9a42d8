import { memoryTable } from './memory-table.ts'
import { snapshotTableContract } from './snapshot-table.contract.ts'

snapshotTableContract('memory', memoryTable)
