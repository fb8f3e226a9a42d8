import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** Until the page has what it shows first, in ms. */
const idleMs = 2_000

/** For the screen whose parts are to be fetched once it is at rest. */
export const useIdleLoading = (): void =>
  useEffect(() => {
    const loadAll = () => {
      // Not in vain: some browsers remember for as long as the page lives that a file could not be fetched.
      if (!navigator.onLine) return
      // Whoever needs what could not be fetched asks for it again, and shows it.
      for (const load of loads) load().catch(() => undefined)
    }
    const timer = setTimeout(loadAll, idleMs)
    return () => clearTimeout(timer)
  }, [])

/**
 * A part of a screen that is fetched when it is needed, or before, when the page is idle. One that cannot be fetched shows it in
 * its place, and leaves the rest of the screen alone; React's `lazy` would throw the same failure for ever. What is `optional` is
 * left out instead.
 */
export const lazyPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
  optional = false,
) => {
  let loaded: ComponentType<P> | undefined
  const get = async () => {
    loaded ??= await load()
    return loaded
  }
  loads.push(get)
  return (props: P) => {
    const [Part, setPart] = useState(() => loaded)
    const [tries, setTries] = useState(1)
    const [failures, setFailures] = useState(0)
    useEffect(() => {
      if (Part) return
      get().then(
        (part) => setPart(() => part),
        () => setFailures(tries),
      )
    }, [Part, tries])

    if (Part) return <Part {...props} />
    if (optional || failures < tries) return meanwhile
    const { onClose } = props as { onClose?: () => void }
    // The browser remembers the failure, or a release took the file away: then only a new page has it.
    const isHopeless = tries > 1 && navigator.onLine
    return (
      <Box role="alert" sx={{ display: 'flex', alignItems: 'center', gap: 2, p: 2 }}>
        <Typography sx={{ flex: 1 }}>Esta parte da tela não pôde ser carregada.</Typography>
        <Button onClick={() => (isHopeless ? location.reload() : setTries(tries + 1))}>
          {isHopeless ? 'Recarregar' : 'Tentar de novo'}
        </Button>
        {onClose && (
          <Button autoFocus onClick={onClose}>
            Fechar
          </Button>
        )}
      </Box>
    )
  }
}
