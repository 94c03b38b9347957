import type { DoctorReport, Finding } from "@drover/core";
import type { ReactNode } from "react";
import { useAnswer } from "../state/use-resource.ts";
import { Button } from "../ui/button.tsx";
import { AlertIcon, CheckIcon, InfoIcon } from "../ui/icons.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { Remedy } from "../ui/remedy.tsx";

/** The report of `drover doctor`. */
export function DoctorPage() {
  const { value, problem, busy, reload } = useAnswer<DoctorReport>("/api/doctor");
  return (
    <Page
      title="Doctor"
      about={
        <>
          Checks everything Drover needs on this machine and changes nothing. <code>drover doctor</code>{" "}
          prints the same report in a terminal.
        </>
      }
      actions={
        <Button disabled={busy} onClick={reload}>
          {busy ? "Checking…" : "Refresh"}
        </Button>
      }
    >
      <ProblemText problem={problem} />
      {value && (
        <>
          <Summary report={value} />
          <Findings findings={value.findings.filter((finding) => !isOfAgent(finding))} />
          <h2 className="mt-7 mb-2 font-medium text-muted text-xs">Agents</h2>
          <Findings findings={value.findings.filter(isOfAgent)} />
        </>
      )}
    </Page>
  );
}

const isOfAgent = ({ check }: Finding): boolean => /^agents?\b/.test(check);

const urgency: readonly Finding["status"][] = ["broken", "note", "ok"];

/** Problems first, otherwise in the order of the report. */
function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = findings.toSorted((a, b) => urgency.indexOf(a.status) - urgency.indexOf(b.status));
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {sorted.map((finding) => (
        <FindingRow key={`${finding.check} ${finding.message}`} finding={finding} />
      ))}
    </ul>
  );
}

function Summary({ report: { ok, findings } }: { report: DoctorReport }) {
  const count = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const notes = count("note");
  return (
    <p role="status" className={`mb-3 font-medium ${ok ? "text-good" : "text-bad"}`}>
      {ok ? "Everything works" : `${count("broken")} ${count("broken") === 1 ? "problem" : "problems"}`}
      {notes > 0 && (
        <span className="font-normal text-muted">
          {" "}
          · {notes} {notes === 1 ? "note" : "notes"}
        </span>
      )}
    </p>
  );
}

const marks: Readonly<Record<Finding["status"], { icon: ReactNode; label: string }>> = {
  ok: { icon: <CheckIcon size={15} />, label: "OK" },
  note: { icon: <InfoIcon size={15} />, label: "Note" },
  broken: { icon: <AlertIcon size={15} />, label: "Broken" },
};
const colors: Readonly<Record<Finding["status"], string>> = {
  ok: "text-good",
  note: "text-faint",
  broken: "text-bad",
};

function FindingRow({ finding: { check, status, message, remedy } }: { finding: Finding }) {
  return (
    <li className="flex items-start gap-3 px-3.5 py-2.5">
      <span className={`mt-0.5 ${colors[status]}`} title={marks[status].label}>
        {marks[status].icon}
        <span className="sr-only">{marks[status].label}: </span>
      </span>
      <div className="grid min-w-0 flex-1 gap-1 md:grid-cols-[9rem_minmax(0,1fr)] md:gap-3">
        <h3 className="font-medium">{check.replace(/^agent /, "")}</h3>
        <div className="grid min-w-0 gap-1.5">
          <p className="break-words text-muted">{message}</p>
          {remedy && <Remedy text={remedy} />}
        </div>
      </div>
    </li>
  );
}
