"""Asks for a name, and greets. The smallest agent that has a conversation."""

from __future__ import annotations

from executor.agent import Json, Outputs, Turn, artifact, completed, input_required, text, text_of, working


class Greeter:
    profile: Json = {
        "id": "greeter",
        "name": "Greeter",
        "description": "Asks for your name, and greets you",
        "version": "1.0.0",
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "greet", "name": "Greet", "description": "Greets by name", "tags": ["python"]}],
    }

    async def run(self, turn: Turn) -> Outputs:
        is_first = not any(said["role"] == "agent" for said in turn.history)
        if is_first:
            yield input_required("What is your name?")
            return
        yield working("Thinking of a greeting")
        yield artifact("greeting", [text(f"Hello, {text_of(turn.message)}!")], last_chunk=True)
        yield completed()


agent = Greeter()
