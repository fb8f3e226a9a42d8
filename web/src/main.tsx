import '@fontsource-variable/inter/wght.css'
import './app/tokens.css'
import './app/base.css'
import { checkWithoutEval } from '@prosa/contracts/without-eval'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { Providers } from './app/providers.tsx'
import { createQueryClient } from './app/query-client.ts'
import { Router } from './app/router.tsx'

// Must run before the schemas, which load later.
checkWithoutEval()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <Providers queries={createQueryClient()}>
        <Router />
      </Providers>
    </BrowserRouter>
  </StrictMode>,
)
