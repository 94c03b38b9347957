// Both pages run this before their first paint, so that the wrong theme never flashes.
try {
  const chosen = localStorage.getItem("drover:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage there is no chosen theme.
}
