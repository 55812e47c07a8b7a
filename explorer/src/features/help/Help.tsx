import { Link } from "@tanstack/react-router";
import { Badge } from "../../ui/Badge.tsx";
import { BADGES, type BadgeKind } from "../../ui/badges.ts";
import { usePageTitle } from "../../ui/usePageTitle.ts";
import { GLOSSARY, QUESTIONS } from "./words.ts";

/** Questions, what each badge means, and the words. */
export function Help() {
  usePageTitle("Help");
  return (
    <>
      <div className="wrap ledhead">
        <h1>Help</h1>
        <p className="lead">
          Short answers first. What doesn’t work yet, and whom you still have to trust, stands under{" "}
          <Link to="/honestly">Honestly</Link>.
        </p>
      </div>
      <section className="wrap sec tight" aria-labelledby="q-h">
        <header className="sechead row">
          <h2 id="q-h">Questions</h2>
        </header>
        <div className="qa">
          {QUESTIONS.map(({ question, answer }, i) => (
            <details key={question} open={i === 0}>
              <summary>{question}</summary>
              <p>{answer}</p>
            </details>
          ))}
        </div>
      </section>
      <section className="wrap sec tight" aria-labelledby="b-h">
        <header className="sechead row">
          <h2 id="b-h">Badges</h2>
          <p>A solid border: derived from data. A dashed one: somebody’s word.</p>
        </header>
        <dl className="defs2">
          {(Object.keys(BADGES) as BadgeKind[]).map((kind) => (
            <div key={kind}>
              <dt>
                <Badge kind={kind} />
              </dt>
              <dd>{BADGES[kind].meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="wrap sec tight" aria-labelledby="g-h">
        <header className="sechead row">
          <h2 id="g-h">Words</h2>
        </header>
        <dl className="defs2">
          {GLOSSARY.map(({ word, meaning }) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
