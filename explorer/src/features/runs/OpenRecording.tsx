import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { openRecordingFile } from "../../recordings/loadRecordings.ts";

/** Replays a recording of one's own. The file is read by this page and goes nowhere. */
export function OpenRecording() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | undefined>();
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const id = await openRecordingFile(file);
      await navigate({ to: "/runs/$id", params: { id } });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setProblem(`${file.name} can’t be replayed. ${reason}`);
    }
  };
  return (
    <div className="openfile">
      <label className="btn">
        Open a recording
        <input
          className="vh"
          type="file"
          accept=".json,application/json"
          onChange={(event) => void open(event.target.files?.[0])}
        />
      </label>
      <span className="dim">
        One that <code>npm run demo -- --record FILE</code> wrote. It stays in this page.
      </span>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
