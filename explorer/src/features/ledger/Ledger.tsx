import { useEvents } from "../../chain/useEvents.ts";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { Journal } from "./Journal.tsx";
import { Reserves } from "./Reserves.tsx";
import { WalletCheck } from "./WalletCheck.tsx";

/** An accountant's statement, subtracted in public. */
export function Ledger() {
  usePageTitle("Ledger");
  const log = useEvents();
  return (
    <>
      <div className="wrap ledhead">
        <h1>Is the money there?</h1>
        <p className="lead">
          Your browser asks the escrow contract, not our server. Then it adds up every event since the first block and
          compares.
        </p>
      </div>
      <Reserves log={log} />
      <WalletCheck log={log} />
      <Journal log={log} />
    </>
  );
}
