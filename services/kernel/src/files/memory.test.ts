import { fileStoreContract } from './file-store.contract.ts'
import { memoryFileStore } from './memory.ts'

fileStoreContract('memory', async () => ({ store: memoryFileStore() }))
