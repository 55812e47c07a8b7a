/** A choice of one among few, as pressed buttons. */
export function Segmented<T extends string | number>(props: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  wide?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and a border that this control has no room for
    <div className={props.wide ? "segd wide" : "segd"} role="group" aria-label={props.label}>
      {props.options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === props.value}
          onClick={() => props.onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
