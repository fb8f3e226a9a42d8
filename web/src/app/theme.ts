import { createTheme, type PaletteColorOptions } from '@mui/material/styles'

const tokens = {
  surface: 'var(--surface)',
  sunken: 'var(--sunken)',
  border: 'var(--border)',
  borderStrong: 'var(--border-strong)',
  muted: 'var(--muted)',
  primarySoft: 'var(--primary-soft)',
  own: 'var(--own)',
  ownText: 'var(--own-text)',
  /** Only for waiting people. */
  accent: 'var(--accent)',
  onAccent: 'var(--on-accent)',
  accentSoft: 'var(--accent-soft)',
  infoSoft: 'var(--info-soft)',
  warn: 'var(--warn)',
  warnSoft: 'var(--warn-soft)',
  danger: 'var(--danger)',
  dangerSoft: 'var(--danger-soft)',
} as const

type Tokens = { [name in keyof typeof tokens]: string }

declare module '@mui/material/styles' {
  interface Palette extends Tokens {}
  interface PaletteOptions extends Partial<Tokens> {}
  interface TypographyVariants {
    message: React.CSSProperties
  }
  interface TypographyVariantsOptions {
    message?: React.CSSProperties
  }
}

declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    message: true
  }
}

const colour = (name: string, hover = `var(--${name})`): PaletteColorOptions => ({
  main: `var(--${name})`,
  light: `var(--${name})`,
  dark: hover,
  contrastText: `var(--on-${name})`,
})

const type = (rem: number, lineRem: number, fontWeight: number) => ({
  fontSize: `${rem}rem`,
  lineHeight: `${lineRem}rem`,
  fontWeight,
  letterSpacing: 0,
})

const tabular = { fontVariantNumeric: 'tabular-nums' }

/** `light-dark()` in `tokens.css` makes one theme serve both modes. Spacing unit 4 px. */
export const theme = createTheme({
  cssVariables: { nativeColor: true, disableCssColorScheme: true },
  spacing: 4,
  breakpoints: { values: { xs: 0, sm: 480, md: 720, lg: 1200, xl: 1600 } },
  shape: { borderRadius: 6 },
  palette: {
    ...tokens,
    primary: colour('primary', 'var(--primary-hover)'),
    secondary: { ...colour('muted'), contrastText: 'var(--surface)' },
    error: colour('danger'),
    warning: colour('warn'),
    info: colour('info'),
    success: colour('primary'),
    background: { default: 'var(--bg)', paper: 'var(--surface)' },
    text: { primary: 'var(--text)', secondary: 'var(--muted)', disabled: 'var(--muted)' },
    divider: 'var(--border)',
    action: {
      active: 'var(--muted)',
      hover: 'var(--hover)',
      selected: 'var(--primary-soft)',
      disabled: 'var(--disabled)',
      disabledBackground: 'var(--hover)',
      focus: 'var(--hover)',
    },
  },
  typography: {
    fontFamily: 'var(--font)',
    h1: { ...type(1.75, 2.125, 600), textWrap: 'balance' },
    h2: type(1.25, 1.75, 600),
    h3: type(0.875, 1.25, 600),
    subtitle1: type(0.9375, 1.375, 500),
    subtitle2: type(0.875, 1.25, 500),
    body1: type(0.875, 1.25, 400),
    body2: type(0.875, 1.25, 400),
    message: type(0.9375, 1.375, 400),
    caption: { ...type(0.75, 1, 400), ...tabular },
    button: { ...type(0.875, 1.25, 500), textTransform: 'none' },
  },
  transitions: {
    duration: {
      shortest: 120,
      shorter: 120,
      short: 120,
      standard: 200,
      complex: 200,
      enteringScreen: 200,
      leavingScreen: 120,
    },
    easing: { easeInOut: 'ease-out', easeOut: 'ease-out', easeIn: 'ease-out', sharp: 'ease-out' },
  },
  components: {
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      // Switches, tabs and menu items: their focused element may be invisible.
      styleOverrides: { root: { '&.Mui-focusVisible': { outline: '2px solid var(--info)', outlineOffset: -2 } } },
    },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: {
          minHeight: 'var(--target)',
          paddingInline: 16,
          '&.Mui-focusVisible': { outline: '2px solid var(--info)', outlineOffset: 2 },
        },
        outlined: { borderColor: 'var(--border-strong)' },
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: {
          minWidth: 'var(--target)',
          minHeight: 'var(--target)',
          borderRadius: 'var(--radius-control)',
          '&.Mui-focusVisible': { outline: '2px solid var(--info)', outlineOffset: 0 },
        },
      },
    },
    MuiSvgIcon: { styleOverrides: { root: { fontSize: 'var(--icon)' } } },
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiDialog: {
      styleOverrides: {
        paper: {
          borderRadius: 'var(--radius-panel)',
          border: '1px solid var(--border)',
          boxShadow: 'var(--shadow-float)',
          margin: 16,
        },
      },
    },
    MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'var(--scrim)' } } } },
    // Addresses and names may be one long word.
    MuiDialogTitle: {
      styleOverrides: { root: { ...type(1.25, 1.75, 600), padding: '20px 24px 8px', overflowWrap: 'anywhere' } },
    },
    MuiDialogContentText: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
    MuiDialogActions: { styleOverrides: { root: { padding: '12px 24px 20px', gap: 4 } } },
    MuiMenu: {
      styleOverrides: {
        paper: {
          borderRadius: 'var(--radius-panel)',
          border: '1px solid var(--border)',
          boxShadow: 'var(--shadow-float)',
          minWidth: 200,
        },
      },
    },
    MuiMenuItem: {
      styleOverrides: {
        root: {
          // Doubled specificity: MUI reduces the height on wide screens, which may have touch.
          '&.MuiMenuItem-root': { minHeight: 'var(--target)', gap: 12, ...type(0.875, 1.25, 400) },
          '& .MuiListItemIcon-root': { minWidth: 0 },
        },
      },
    },
    MuiListItemIcon: { styleOverrides: { root: { minWidth: 0, color: 'inherit' } } },
    MuiTab: { styleOverrides: { root: { minHeight: 44, textTransform: 'none', letterSpacing: 0 } } },
    MuiSwitch: { styleOverrides: { track: { backgroundColor: 'var(--border-strong)', opacity: 1 } } },
    MuiTooltip: {
      defaultProps: { enterDelay: 500, enterNextDelay: 200 },
      styleOverrides: {
        tooltip: {
          ...type(0.75, 1, 500),
          color: 'var(--bg)',
          backgroundColor: 'var(--text)',
          borderRadius: 'var(--radius-control)',
          padding: '6px 8px',
        },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: { backgroundColor: 'var(--surface)', minHeight: 'var(--target)' },
        notchedOutline: { borderColor: 'var(--border-strong)' },
        input: { padding: '8px 12px' },
        multiline: { padding: 0 },
      },
    },
    MuiChip: { styleOverrides: { root: { ...type(0.75, 1, 500), borderRadius: 'var(--radius-control)' } } },
    MuiBadge: { styleOverrides: { badge: { ...type(0.75, 1, 600), ...tabular } } },
    MuiLink: { defaultProps: { underline: 'hover' } },
    MuiSkeleton: { defaultProps: { animation: 'pulse' } },
  },
})
