import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "../../ui/Icon.tsx";
import { Patterns } from "../../ui/Patterns.tsx";
import { handleKey } from "../keyboard/shortcuts.ts";
import { useShortcut } from "../keyboard/useShortcut.ts";
import { ChainStatus } from "./ChainStatus.tsx";
import { FOOT_PAGES, MAIN_PAGES } from "./pages.ts";
import { toggleTheme } from "./theme.ts";

const ShortcutsDialog = lazy(() =>
  import("../keyboard/ShortcutsDialog.tsx").then((m) => ({ default: m.ShortcutsDialog })),
);
const Palette = lazy(() => import("./Palette.tsx").then((m) => ({ default: m.Palette })));
const Menu = lazy(() => import("./Menu.tsx").then((m) => ({ default: m.Menu })));

type Open = "palette" | "shortcuts" | "menu" | undefined;

/** Header, page, footer, and what can open over any page. */
export function Shell() {
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useKeyboard(() => setOpen((now) => (now === "palette" ? undefined : "palette")));
  useShortcut("?", "List the shortcuts of this page", () => setOpen("shortcuts"));
  useShortcut("/", "Search", () => setOpen("palette"));
  useGoTo();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Patterns />
      <header className="top">
        <div className="wrap">
          <Link className="brand" to="/">
            <Brand />
            GPUChain
          </Link>
          <nav aria-label="Main">
            {MAIN_PAGES.map((page) => (
              <Link key={page.to} to={page.to} activeProps={{ "aria-current": "page" }}>
                {page.label}
              </Link>
            ))}
          </nav>
          <div className="net">
            <ChainStatus />
            <button type="button" className="ib key" aria-label="Search" onClick={() => setOpen("palette")}>
              <Icon name="search" />
              <kbd>/</kbd>
            </button>
            <button type="button" className="ib" aria-label="Switch to dark or light" onClick={toggleTheme}>
              <Icon name="theme" />
            </button>
            <button type="button" className="ib menu" aria-label="Menu" onClick={() => setOpen("menu")}>
              <Icon name="menu" />
            </button>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <div className="wrap">
          <p>Test money only. Nothing here is worth anything outside this chain.</p>
          <nav aria-label="More">
            {FOOT_PAGES.map((page) => (
              <Link key={page.to} to={page.to}>
                {page.label}
              </Link>
            ))}
            <button type="button" className="linkb" onClick={() => setOpen("shortcuts")}>
              Keyboard <kbd>?</kbd>
            </button>
          </nav>
        </div>
      </footer>
      <Suspense>
        {open === "palette" && <Palette onClose={close} />}
        {open === "shortcuts" && <ShortcutsDialog open onClose={close} />}
        {open === "menu" && <Menu onClose={close} onSearch={() => setOpen("palette")} />}
      </Suspense>
    </>
  );
}

function Brand() {
  return (
    <svg viewBox="0 0 27 18" aria-hidden="true">
      <rect width="5" height="18" />
      <rect x="7" width="5" height="18" />
      <rect x="14" width="5" height="18" className="b-h" />
      <rect x="21.6" y=".6" width="4.8" height="16.8" className="b-o" />
    </svg>
  );
}

function useKeyboard(togglePalette: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        togglePalette();
      } else if (handleKey(event)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [togglePalette]);
}

function useGoTo() {
  const navigate = useNavigate();
  useShortcut("g h", "Go to Home", () => void navigate({ to: "/" }));
  useShortcut("g r", "Go to Runs", () => void navigate({ to: "/runs" }));
  useShortcut("g l", "Go to Ledger", () => void navigate({ to: "/ledger" }));
  useShortcut("g p", "Go to Provide", () => void navigate({ to: "/provide" }));
  useShortcut("g s", "Go to Status", () => void navigate({ to: "/status" }));
}
