import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'

/** What fits beside each other: `oneColumn` list or conversation only, `covering` a panel lies over the conversation. */
export const useScreenWidth = () => {
  const oneColumn = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'))
  const covering = useMediaQuery<Theme>((theme) => theme.breakpoints.down('lg'))
  const onPhone = useMediaQuery('(pointer: coarse)') && oneColumn
  return { oneColumn, covering, onPhone }
}
