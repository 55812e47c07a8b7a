import { Link } from "@tanstack/react-router";
import { Dialog } from "../../ui/Dialog.tsx";
import { PAGES } from "./pages.ts";

/** The phone's navigation. */
export function Menu({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Menu" className="menud">
      <nav aria-label="All pages">
        {PAGES.map((page) => (
          <Link
            key={page.to}
            to={page.to}
            onClick={onClose}
            activeProps={{ "aria-current": "page" }}
            activeOptions={{ exact: true }}
          >
            {page.label}
          </Link>
        ))}
      </nav>
      <button type="button" className="btn" onClick={onSearch}>
        Search
      </button>
    </Dialog>
  );
}
