import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'

export const useIsPhone = (): boolean => useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'))
