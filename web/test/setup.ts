import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A screen loads its code lazily, and on a busy machine that takes longer than the library's one second.
configure({ asyncUtilTimeout: 8000 })

afterEach(cleanup)
