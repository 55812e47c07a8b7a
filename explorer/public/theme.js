// Runs before the first paint, so that a chosen theme never flashes the other one. A file of its own: the policy allows no inline script.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be blocked; the system's choice stands.
  document.documentElement.removeAttribute("data-theme");
}
