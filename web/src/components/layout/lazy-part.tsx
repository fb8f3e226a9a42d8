import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const loads: (() => Promise<unknown>)[] = []

/** Leaves the page time for its first content. */
const idleMs = 2_000

export const useIdleLoading = (): void =>
  useEffect(() => {
    const loadAll = () => {
      // Some browsers cache a failed import for the life of the page.
      if (!navigator.onLine) return
      // The component that needs it retries and shows the error.
      for (const load of loads) load().catch(() => undefined)
    }
    const timer = setTimeout(loadAll, idleMs)
    return () => clearTimeout(timer)
  }, [])

/** A failed load shows an error in its place and can be retried, unlike React's `lazy`. `optional` parts are left out instead. */
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
    // The browser cached the failure, or a release removed the file: only a reload helps.
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
