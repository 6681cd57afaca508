/** Shows an e-mail address, which may wrap after its dots and its at sign and nowhere else. */
export function Email({ address }: { readonly address: string }) {
  return (
    <>
      {address.split(/(?<=[@.])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
