// Both pages run this before their first paint, so that nobody who chose a theme sees the other one flash by.
try {
  const chosen = localStorage.getItem("drover:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing has no theme to tell.
}
