export type Theme = "light" | "dark";

const systemTheme = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export const currentTheme = (): Theme => {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : systemTheme();
};

/** Switches between light and dark; choosing what the system has follows the system again. */
export function toggleTheme(): Theme {
  const next: Theme = currentTheme() === "dark" ? "light" : "dark";
  const follow = next === systemTheme();
  if (follow) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (follow) localStorage.removeItem("theme");
    else localStorage.setItem("theme", next);
  } catch {
    return next; // Storage may be blocked; the choice holds for this visit.
  }
  return next;
}
