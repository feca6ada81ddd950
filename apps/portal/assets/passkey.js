// Makes passkeys, and signs in with them (WebAuthn). The browser's answer goes into the form, which is then sent like any other.

const form = document.querySelector('form[data-passkey]')
const problem = document.getElementById('passkey-problem')

form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  problem.hidden = true
  try {
    const credential = await (form.dataset.passkey === 'make' ? make() : use())
    form.elements.response.value = JSON.stringify(encode(credential))
    form.submit()
  } catch (error) {
    problem.textContent = explain(error)
    problem.hidden = false
    button.disabled = false
  }
})

function make() {
  const options = JSON.parse(form.dataset.options)
  options.challenge = bytes(options.challenge)
  options.user.id = bytes(options.user.id)
  for (const known of options.excludeCredentials ?? []) known.id = bytes(known.id)
  return navigator.credentials.create({ publicKey: options })
}

async function use() {
  const response = await fetch('/passkey/challenge', { method: 'POST' })
  if (!response.ok) throw new Error(await response.text())
  const options = await response.json()
  options.challenge = bytes(options.challenge)
  return navigator.credentials.get({ publicKey: options })
}

/** The credential as JSON, with its bytes in base64url. */
function encode({ id, rawId, type, response, authenticatorAttachment }) {
  const sent = { clientDataJSON: text(response.clientDataJSON) }
  if (response.attestationObject) {
    sent.attestationObject = text(response.attestationObject)
    sent.transports = response.getTransports?.() ?? []
  } else {
    sent.authenticatorData = text(response.authenticatorData)
    sent.signature = text(response.signature)
    if (response.userHandle) sent.userHandle = text(response.userHandle)
  }
  return { id, rawId: text(rawId), type, response: sent, clientExtensionResults: {}, authenticatorAttachment }
}

function bytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function text(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function explain(error) {
  if (!window.PublicKeyCredential)
    return 'This browser makes no passkeys here. Open the console by https or at localhost.'
  if (error.name === 'NotAllowedError') return 'The browser used no passkey. Try again.'
  if (error.name === 'InvalidStateError') return 'This device has a passkey for you already.'
  return error.message
}
