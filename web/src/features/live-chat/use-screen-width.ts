import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'

/** `oneColumn`: list or conversation; `covering`: a panel overlays the conversation. */
export const useScreenWidth = () => {
  const oneColumn = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'))
  const covering = useMediaQuery<Theme>((theme) => theme.breakpoints.down('lg'))
  const onPhone = useMediaQuery('(pointer: coarse)') && oneColumn
  return { oneColumn, covering, onPhone }
}
