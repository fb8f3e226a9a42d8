// Runs before the first paint, so that a chosen theme never flashes in the other one. See src/app/theme-choice.ts.
try {
  const choice = localStorage.getItem('prosa-theme')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // Storage is forbidden in this browser: the system decides.
}
